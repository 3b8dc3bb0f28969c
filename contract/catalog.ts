import * as z from 'zod/mini'
import { locale, optionType, planCycle, productAccess, productKind, sortOption } from './enumerations.ts'
import { attachmentId, categoryId, lessonId, optionId, planId, productCode, productId, videoId } from './ids.ts'
import { money } from './money.ts'
import { page, pageOf, size } from './paging.ts'
import { picture } from './picture.ts'
import { chapter } from './playback.ts'
import { slugPath } from './rules.ts'
import { textLanguages } from './translations.ts'

/** A node of the category tree. `isChild` is derived by the reader: some other category has this id as its parentId. */
export const category = z.object({
  id: categoryId,
  parentId: z.nullable(categoryId),
  level: z.int(),
  name: z.string(),
  /** Unique among the categories of one parent. */
  slug: z.string(),
  /** The slugs from the root down, as addresses name the category: `films/landscape`. */
  path: z.string(),
  /** The paths it had before its slugs changed. None of them is another category's path. */
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
  /** RENT: how many days from the first play. */
  days: z.nullable(z.int()),
  /** RENT: the first play must happen within this many days. */
  startWithinDays: z.nullable(z.int()),
  price: money,
  listPrice: z.nullable(money),
  languages: textLanguages,
})
export type ProductOption = z.output<typeof productOption>

/** The viewer's own state of a product; null for a guest without history. */
const viewerState = z.object({
  liked: z.boolean(),
  inCart: z.boolean(),
  /** May play or download the whole now. */
  entitled: z.boolean(),
  source: z.nullable(z.enum(['FREE', 'MEMBER', 'OWN', 'RENT', 'PLAN', 'GRANT'])),
  expiresAt: z.nullable(z.iso.datetime()),
  /** The latest start of a rental that has not begun. */
  startBy: z.nullable(z.iso.datetime()),
  /** What can be refunded, and until when. The first play or download ends it. */
  refundable: z.nullable(z.object({ amount: money, until: z.iso.datetime() })),
  /** Watched part, 0 to 1; null when never begun. */
  progress: z.nullable(z.number()),
})
export type ViewerState = z.output<typeof viewerState>

export const productCard = z.object({
  id: productId,
  code: productCode,
  kind: productKind,
  access: productAccess,
  title: z.string(),
  summary: z.string(),
  /** 16:9 for rows of courses, heroes and players. */
  poster: picture,
  /** 2:3 where the product has one (films). */
  posterTall: z.nullable(picture),
  /** The lowest price; null where it is not sold. */
  price: z.nullable(money),
  listPrice: z.nullable(money),
  priceType: z.nullable(optionType),
  optionCount: z.int(),
  durationSeconds: z.nullable(z.int()),
  lessonCount: z.int(),
  /** There is a stream or a file. Otherwise it is not for sale, and a purchase can be refunded at once. */
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

const lesson = z.object({
  id: lessonId,
  sort: z.int(),
  title: z.string(),
  summary: z.string(),
  durationSeconds: z.nullable(z.int()),
  free: z.boolean(),
  /** The viewer may play it now. */
  playable: z.boolean(),
  progress: z.nullable(z.number()),
  languages: textLanguages,
})
export type Lesson = z.output<typeof lesson>

export const attachment = z.object({
  id: attachmentId,
  name: z.string(),
  contentType: z.string(),
  bytes: z.int(),
  /** To be accepted before the download, when there is one. */
  confirmationText: z.nullable(z.string()),
  /** The viewer may download it. */
  available: z.boolean(),
  languages: textLanguages,
})
export type Attachment = z.output<typeof attachment>

/** A plan that covers a product. */
const productPlan = z.object({
  id: planId,
  code: z.string(),
  name: z.string(),
  price: money,
  cycle: planCycle,
  languages: textLanguages,
})
export type ProductPlan = z.output<typeof productPlan>

export const product = z.extend(productCard, {
  /** Sanitised HTML. */
  description: z.string(),
  categoryIds: z.array(categoryId),
  /** The deepest category's path, from the root. */
  categoryPath: z.array(z.pick(category, { id: true, name: true, path: true, languages: true })),
  gallery: z.array(picture),
  options: z.array(productOption),
  lessons: z.array(lesson),
  attachmentCount: z.int(),
  /** Plans on sale that cover it, the cheapest first. */
  plans: z.array(productPlan),
  /** The preview's own video, for `preview-player/{previewId}`; null without one. */
  previewId: z.nullable(videoId),
  /** Seconds that may be previewed by anyone; null without a preview. */
  previewSeconds: z.nullable(z.int()),
  captions: z.array(z.object({ language: z.string(), label: z.string() })),
  chapters: z.array(chapter),
  related: z.array(productCard),
  seo: z.object({ title: z.nullable(z.string()), description: z.nullable(z.string()) }),
  commentPolicy: z.enum(['MEMBERS', 'BUYERS', 'CLOSED']),
  /** The languages its own page is complete in as far as its title goes: the store's own, and those with a translated title. */
  locales: z.array(locale),
})
export type Product = z.output<typeof product>

const list = <Item extends z.core.$ZodType>(item: Item) => z.optional(z.array(item).check(z.maxLength(20)))

/** All parameters of a search. Lists are repeated keys in a URL: `kind[]=PAY&kind[]=VOD`. */
export const searchQuery = z.object({
  q: z.optional(z.string().check(z.maxLength(100))),
  /** By id, or by the path of slugs. */
  category: z.optional(z.string().check(z.maxLength(500), z.regex(slugPath))),
  kind: list(productKind),
  access: list(productAccess),
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
export type SearchQuery = z.input<typeof searchQuery>

const facet = z.array(z.object({ value: z.string(), label: z.string(), count: z.int(), languages: textLanguages }))

/**
 * Something spoken in a video, found in its captions. `hits` are places in `snippet` (UTF-16 units). Who may not watch it (`locked`)
 * reads no more of it than shows that it is said.
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
  /** Of the captions that hold it. */
  language: z.string(),
  snippet: z.string(),
  hits: z.array(z.object({ start: z.int(), end: z.int() })),
  locked: z.boolean(),
})
export type CaptionMatch = z.output<typeof captionMatch>

/** Ranges of minutes that lists are narrowed by, both ends inside; an open end has no number. */
export const durationRanges = ['-10', '10-30', '30-60', '60-'] as const

export const searchAnswer = z.extend(pageOf(productCard), {
  /** Counts of the other choices: each facet is counted without its own filter. */
  facets: z.object({ kind: facet, access: facet, category: facet, tag: facet, duration: facet }),
  priceRange: z.nullable(z.object({ min: z.int(), max: z.int() })),
  /** The spelling that was searched instead, where the given one found nothing. */
  corrected: z.nullable(z.string()),
  /** Matches in the captions of videos, on the first page of a text search. */
  captionMatches: z.array(captionMatch),
})
export type SearchAnswer = z.output<typeof searchAnswer>

export const suggestQuery = z.object({ q: z.string().check(z.minLength(1), z.maxLength(100)) })
/** A handful of products and categories while typing. */
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
  /** Where it is spoken in a video. The same for everyone, so `locked` unless anyone may watch. */
  captionMatches: z.array(captionMatch),
  /** The spelling that was searched instead, where the given one found no product. */
  corrected: z.nullable(z.string()),
})
export type SuggestAnswer = z.output<typeof suggestAnswer>

/** `products/options`: the options of several products in one call. */
export const optionsQuery = z.object({ productIds: z.array(productId).check(z.minLength(1), z.maxLength(50)) })

/** `products/viewer-states`: one person's side of several products in one call. */
export const viewerStatesQuery = z.object({ productIds: z.array(productId).check(z.minLength(1), z.maxLength(100)) })
export const viewerStatesAnswer = z.object({ items: z.array(z.extend(viewerState, { productId })) })

/** `products/sitemap`: what search engines may know of, a thousand a page, in the order of making. */
export const sitemapQuery = z.object({ page })
export const sitemapAnswer = z.object({
  pages: z.int(),
  items: z.array(
    z.object({
      code: productCode,
      createdAt: z.iso.datetime(),
      /** The store's own language, and those its title is translated into. */
      locales: z.array(locale),
      /** Its video, as far as everybody may see it; null where no part of it is shown before it is opened. */
      video: z.nullable(
        z.object({
          title: z.string(),
          summary: z.string(),
          poster: z.string(),
          /** The preview's manifest: an address for everybody. */
          preview: z.string(),
          durationSeconds: z.int(),
        }),
      ),
    }),
  ),
})
export type SitemapAnswer = z.output<typeof sitemapAnswer>

export const exposureQuery = z.object({ exposureLimit: z._default(z.int().check(z.gte(1), z.lte(100)), 24) })
/** Both histories, each of the requested length. */
export const historiesAnswer = z.object({ watched: z.array(productCard), viewed: z.array(productCard) })
export const productList = z.object({ items: z.array(productCard) })
