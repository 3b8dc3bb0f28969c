import * as z from 'zod/mini'
import { locale, optionType, productAccess, productKind, sortOption } from './enumerations.ts'
import { categoryId, lessonId, optionId, orderCode, productCode, productId } from './ids.ts'
import { arrangedId } from './menu.ts'
import { money } from './money.ts'
import { inOrder, page, pageOf, size } from './paging.ts'
import { picture } from './picture.ts'
import { slugPath } from './rules.ts'
import { trimmed } from './text.ts'
import { textLanguages } from './translations.ts'

/** A node of the category tree. Clients derive `isChild`: another category is its parent. */
export const category = z.object({
  id: categoryId,
  parentId: z.nullable(categoryId),
  level: z.int(),
  name: z.string(),
  /** Unique among the categories of one parent. */
  slug: z.string(),
  /** The slugs from the root, as used in URLs: `films/landscape`. */
  path: z.string(),
  /** The paths before its slugs changed. No other category uses them. */
  formerPaths: z.optional(z.array(z.string())),
  sort: z.int(),
  languages: textLanguages,
})
export type Category = z.output<typeof category>

/** One way to buy or rent a product, with the price that the server charges. */
export const productOption = z.object({
  id: optionId,
  productId,
  name: z.string(),
  type: optionType,
  /** RENT: the number of days from the first play. */
  days: z.nullable(z.int()),
  /** RENT: the first play must begin within this many days. */
  startWithinDays: z.nullable(z.int()),
  price: money,
  listPrice: z.nullable(money),
  languages: textLanguages,
})
export type ProductOption = z.output<typeof productOption>

/** The viewer's state of a product; null for a guest without history. */
const viewerState = z.object({
  liked: z.boolean(),
  inCart: z.boolean(),
  /** Whether the viewer may play or download the complete product now. */
  entitled: z.boolean(),
  source: z.nullable(z.enum(['FREE', 'MEMBER', 'OWN', 'RENT', 'PLAN', 'GRANT'])),
  expiresAt: z.nullable(z.iso.datetime()),
  /** The latest start of a rental that has not started. */
  startBy: z.nullable(z.iso.datetime()),
  /** The refundable amount and its deadline. The first play or download ends it. */
  refundable: z.nullable(z.object({ amount: money, until: z.iso.datetime() })),
  /** The watched fraction, from 0 to 1; null when never started. */
  progress: z.nullable(z.number()),
  /** The member's order of it that waits for a bank transfer, and its deadline. */
  awaitingTransfer: z.nullable(z.object({ order: orderCode, until: z.nullable(z.iso.datetime()) })),
})
export type ViewerState = z.output<typeof viewerState>

export const productCard = z.object({
  id: productId,
  code: productCode,
  kind: productKind,
  access: productAccess,
  title: z.string(),
  summary: z.string(),
  /** 16:9, for rows of courses, heroes and players. */
  poster: picture,
  /** 2:3, where the product has one (films). */
  posterTall: z.nullable(picture),
  /** The lowest price; null if the product is not for sale. */
  price: z.nullable(money),
  listPrice: z.nullable(money),
  priceType: z.nullable(optionType),
  optionCount: z.int(),
  durationSeconds: z.nullable(z.int()),
  lessonCount: z.int(),
  /**
   * Whether a stream or a file exists. Otherwise the product is not for sale, and purchases can be
   * refunded at once.
   */
  ready: z.boolean(),
  ageRating: z.string(),
  /** The values of the tag filter. */
  tags: z.array(z.string()),
  /** The tags' names in the requested language, in the same order; absent without a translation. */
  tagLabels: z.optional(z.array(z.string())),
  saleTo: z.nullable(z.iso.datetime()),
  countOfViews: z.int(),
  countOfPlays: z.int(),
  countOfLikes: z.int(),
  countOfComments: z.int(),
  createdAt: z.iso.datetime(),
  viewer: z.nullable(viewerState),
  languages: textLanguages,
})
export type ProductCard = z.output<typeof productCard>

const listOf = <Item extends z.core.$ZodType>(item: Item) => z.optional(z.array(item).check(z.maxLength(20)))

/** All parameters of a search. Lists are repeated keys in a URL: `kind[]=PAY&kind[]=VOD`. */
export const searchQuery = z
  .object({
    q: z.optional(z.string().check(trimmed, z.maxLength(100))),
    /** By id, or by the path of slugs. */
    category: z.optional(z.string().check(z.maxLength(500), z.regex(slugPath))),
    kind: listOf(productKind),
    access: listOf(productAccess),
    /** In the tenant's currency, minor unit. */
    priceMin: z.optional(z.int().check(z.gte(0))),
    priceMax: z.optional(z.int().check(z.gte(0))),
    durationMin: z.optional(z.int().check(z.gte(0))),
    durationMax: z.optional(z.int().check(z.gte(0))),
    tag: z.optional(z.string().check(z.maxLength(60))),
    /** Only products with a stream. */
    video: z.optional(z.boolean()),
    sort: z._default(sortOption, 'sort,DESC'),
    page,
    size,
  })
  .check(inOrder('priceMin', 'priceMax'), inOrder('durationMin', 'durationMax'))
export type SearchQuery = z.input<typeof searchQuery>

const facet = z.array(z.object({ value: z.string(), label: z.string(), count: z.int(), languages: textLanguages }))

/**
 * A match in the captions of a video. `hits` are positions in `snippet` (UTF-16 units). Viewers
 * without access (`locked`) get a shortened snippet.
 */
const captionMatch = z.object({
  product: z.pick(productCard, {
    id: true,
    code: true,
    title: true,
    poster: true,
    access: true,
    price: true,
    priceType: true,
    optionCount: true,
    languages: true,
  }),
  lesson: z.nullable(z.object({ id: lessonId, title: z.string(), languages: textLanguages })),
  startSeconds: z.number(),
  /** The language of the matching captions. */
  language: z.string(),
  snippet: z.string(),
  hits: z.array(z.object({ start: z.int(), end: z.int() })),
  locked: z.boolean(),
})
export type CaptionMatch = z.output<typeof captionMatch>

/** Duration filters in minutes, both ends inclusive. An open end has no number. */
export const durationRanges = ['-10', '10-30', '30-60', '60-'] as const

export const searchAnswer = z.extend(pageOf(productCard), {
  /** Each facet is counted without its own filter. */
  facets: z.object({ kind: facet, access: facet, category: facet, tag: facet, duration: facet }),
  priceRange: z.nullable(z.object({ min: z.int(), max: z.int() })),
  /** The corrected spelling of the search, where the given one had no results. */
  corrected: z.nullable(z.string()),
  /** Matches in captions, on the first page of a text search. */
  captionMatches: z.array(captionMatch),
})
export type SearchAnswer = z.output<typeof searchAnswer>

export const suggestQuery = z.object({ q: z.string().check(z.minLength(1), z.maxLength(100)) })
/** Suggested products and categories while typing. */
export const suggestAnswer = z.object({
  products: z.array(
    z.pick(productCard, {
      id: true,
      code: true,
      title: true,
      poster: true,
      kind: true,
      durationSeconds: true,
      languages: true,
    }),
  ),
  categories: z.array(z.pick(category, { id: true, name: true, path: true, languages: true })),
  /**
   * Matches in captions. The answer is shared by all visitors, so matches are `locked` unless the
   * video is free for everyone.
   */
  captionMatches: z.array(captionMatch),
  /** The corrected spelling, where the given one had no products. */
  corrected: z.nullable(z.string()),
})
export type SuggestAnswer = z.output<typeof suggestAnswer>

/** `products/options`: the options of several products in one request. */
export const optionsQuery = z.object({ productIds: z.array(productId).check(z.minLength(1), z.maxLength(50)) })

/** `products/viewer-states`: the viewer's state of several products in one request. */
export const viewerStatesQuery = z.object({
  productIds: z.array(productId).check(z.minLength(1), z.maxLength(100)),
  /** Only products that a card marks: with a right of the viewer to them, or begun. */
  marked: z.optional(z.boolean()),
})
export const viewerStatesAnswer = z.object({ items: z.array(z.extend(viewerState, { productId })) })

/**
 * `products/sitemap`: the products for search engines, a thousand per page, in the order of their
 * creation.
 */
export const sitemapQuery = z.object({ page })
export const sitemapAnswer = z.object({
  pages: z.int(),
  items: z.array(
    z.object({
      code: productCode,
      createdAt: z.iso.datetime(),
      /** The store's own language, and those with a translated title. */
      locales: z.array(locale),
      /** The public video; null if no part of it is public. */
      video: z.nullable(
        z.object({
          title: z.string(),
          summary: z.string(),
          poster: z.string(),
          /** The public URL of the preview's manifest. */
          preview: z.string(),
          durationSeconds: z.int(),
        }),
      ),
    }),
  ),
})
export type SitemapAnswer = z.output<typeof sitemapAnswer>

export const exposureQuery = z.object({ exposureLimit: z._default(z.int().check(z.gte(1), z.lte(100)), 24) })
/** Both histories, each with the requested length. */
export const historiesAnswer = z.object({ watched: z.array(productCard), viewed: z.array(productCard) })
/** `section` is the id of a section of `homeSections`. */
export const chosenQuery = z.object({ section: arrangedId })
export const productList = z.object({ items: z.array(productCard) })
