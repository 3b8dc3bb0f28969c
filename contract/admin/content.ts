import * as z from 'zod/mini'
import { bannerLink } from '../content.ts'
import { type BannerType, bannerType, locale } from '../enumerations.ts'
import { cleanedHtml } from '../html-text.ts'
import { bannerId, faqId, noticeId } from '../ids.ts'
import { largestPicture, picture } from '../picture.ts'
import { requiredText, textUpTo } from '../text.ts'
import { auditEntry } from './audit.ts'
import { keysetPage, keysetQuery, searchText } from './lists.ts'

/** Whether visitors do not see it yet, will see it, see it now, or have seen it. */
const contentState = z.enum(['DRAFT', 'SCHEDULED', 'SHOWN', 'ENDED'])
export type ContentState = z.output<typeof contentState>

const longestHtml = 200_000
/** HTML. It is sanitised when it is shown. */
const html = z.string().check(cleanedHtml, z.minLength(1), z.maxLength(longestHtml))
/** HTML as it is stored: a table that is imported may leave it empty. */
const storedHtml = z.string()

/** What every object of content has for its editor. */
const edited = {
  /** Send it as `If-Match` with a change. */
  version: z.string(),
  /** Changes of operators, latest first. */
  history: z.array(auditEntry),
}

const period = {
  /** Null: shown at once. */
  startsAt: z.nullable(z.iso.datetime()),
  /** Null: shown until it is deleted. */
  endsAt: z.nullable(z.iso.datetime()),
}

/** The texts of an object by language, without the store's own language. */
const translated = <Field extends string>(...names: Field[]) =>
  z.partialRecord(locale, z.partialRecord(z.enum(names), z.string()))
/** A translation, which null or an empty text removes. */
const change = {
  text: z.optional(z.nullable(textUpTo(longestHtml))),
  html: z.optional(z.nullable(z.string().check(cleanedHtml, z.maxLength(longestHtml)))),
}
/** Texts that are left out stay. */
const translatedChange = <Shape extends z.core.$ZodShape>(texts: Shape) =>
  z.optional(z.partialRecord(locale, z.strictObject(texts)))

/** The files of a notice, at most. */
export const maxNoticeFiles = 10
/** The largest file of a notice, in bytes. */
export const largestNoticeFile = 10_000_000

/** Visitors do not see a draft, whatever its period. */
const isDraft = z._default(z.boolean(), false)

const noticeFields = z.object({
  title: requiredText(300),
  body: html,
  pinned: z.boolean(),
  /** Publishing a draft gives it a new `createdAt`. */
  isDraft,
  ...period,
})
const noticeRow = z.object({
  id: noticeId,
  title: z.string(),
  pinned: z.boolean(),
  isDraft: z.boolean(),
  state: contentState,
  ...period,
  createdAt: z.iso.datetime(),
})
/** `q` is a part of a title. */
const noticeFilters = { q: searchText }
export const storeNoticeQuery = z.object({ ...keysetQuery, ...noticeFilters })
export const storeNoticeCount = z.object(noticeFilters)
export const storeNoticePage = keysetPage(noticeRow)
export const storeNotice = z.extend(noticeRow, {
  ...noticeFields.shape,
  body: storedHtml,
  isDraft: z.boolean(),
  ...edited,
  /** Files to download, in their order. */
  attachments: z.array(z.object({ name: z.string(), bytes: z.int(), url: z.string() })),
  translations: translated('title', 'body'),
})
export type StoreNotice = z.output<typeof storeNotice>
export const storeNoticePath = z.object({ id: noticeId })
export const storeNoticeCreate = noticeFields
export const storeNoticeChange = z.extend(z.partial(noticeFields), {
  id: noticeId,
  isDraft: z.optional(z.boolean()),
  /** The files that stay, in their new order, by the addresses that the notice has. */
  attachments: z.optional(
    z.array(z.object({ url: z.string(), name: requiredText(180) })).check(z.maxLength(maxNoticeFiles)),
  ),
  translations: translatedChange({ title: change.text, body: change.html }),
})

export const storeNoticeUpload = z.object({
  id: noticeId,
  file: z.file().check(z.minSize(1), z.maxSize(largestNoticeFile)),
})

/** All objects of a kind in their order. */
const ordered = <Item extends z.core.$ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    /** Of the order. Send it as `If-Match` with a move. */
    version: z.string(),
    history: edited.history,
  })
/** From 1. One beyond the last is the last. */
const position = z.int().check(z.gte(1), z.lte(1_000_000))

const faqFields = z.object({ group: requiredText(100), question: requiredText(500), answer: html })
const faqRow = z.object({
  id: faqId,
  group: z.string(),
  question: z.string(),
  isDraft: z.boolean(),
  state: contentState,
  ...period,
})
/** Without a period, it is shown until it is deleted. */
const optionalPeriod = z.partial(z.object(period)).shape
export const storeFaqList = ordered(faqRow)
export const storeFaq = z.extend(faqRow, {
  ...faqFields.shape,
  answer: storedHtml,
  ...edited,
  translations: translated('group', 'question', 'answer'),
})
export type StoreFaq = z.output<typeof storeFaq>
export const storeFaqPath = z.object({ id: faqId })
export const storeFaqCreate = z.extend(faqFields, { isDraft, ...optionalPeriod })
export const storeFaqChange = z.extend(z.partial(faqFields), {
  isDraft: z.optional(z.boolean()),
  ...optionalPeriod,
  id: faqId,
  translations: translatedChange({ group: change.text, question: change.text, answer: change.html }),
})
export const storeFaqMove = z.object({ id: faqId, position })

/** The end of a page's address: `terms`, `privacy`, `refund`, `about`, or a word of the store. */
const pageType = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,39}$/))
const pageFields = z.object({ title: requiredText(200), body: html })
const pageRow = z.object({
  type: pageType,
  title: z.string(),
  isDraft: z.boolean(),
  /** Whether it has the mark of a draft or gaps to fill in, so that visitors do not see it. */
  isUnfinished: z.boolean(),
  state: contentState,
  ...period,
  updatedAt: z.iso.datetime(),
  /** From when on other texts are shown. Null without such. */
  plannedAt: z.nullable(z.iso.datetime()),
})
/** The texts of a page from a time on, with all their translations. */
const plannedPage = z.object({
  title: z.string(),
  body: storedHtml,
  translations: translated('title', 'body'),
  startsAt: z.iso.datetime(),
})
const pageTranslations = { title: change.text, body: change.html }
export const storePageList = ordered(pageRow)
export const storePage = z.extend(pageRow, {
  ...pageFields.shape,
  body: storedHtml,
  ...edited,
  translations: translated('title', 'body'),
  /** They become the texts of the page at their time. Null without such. */
  planned: z.nullable(plannedPage),
})
export type StorePage = z.output<typeof storePage>
/** The types of the pages that members agree to. They are never deleted. */
export const agreedPages: readonly string[] = ['terms', 'privacy']

export const storePagePath = z.object({ type: pageType })
export const storePageCreate = z.extend(pageFields, { type: pageType, isDraft, ...optionalPeriod })
export const storePageChange = z.extend(z.partial(pageFields), {
  type: pageType,
  isDraft: z.optional(z.boolean()),
  ...optionalPeriod,
  translations: translatedChange(pageTranslations),
  /** Null removes them. */
  planned: z.optional(
    z.nullable(
      z.extend(pageFields, {
        translations: z.partialRecord(locale, z.strictObject(pageTranslations)),
        startsAt: z.iso.datetime(),
      }),
    ),
  ),
})
export const storePageMove = z.object({ type: pageType, position })

/** The places of banners that show a picture. */
export const picturedBanners: readonly BannerType[] = ['MAIN_SLIDER_BANNER', 'GRID', 'BANNER']

/**
 * Why visitors do not find what a link leads to. MISSING: the store has it no longer. NOT_OFFERED:
 * a plan that is not on sale, or a product that costs nothing in a store without such products.
 */
const linkProblem = z.enum(['MISSING', 'DRAFT', 'HIDDEN', 'SCHEDULED', 'ENDED', 'NOT_OFFERED'])
export type LinkProblem = z.output<typeof linkProblem>

const bannerFields = z.object({
  type: bannerType,
  title: requiredText(300),
  text: textUpTo(1000),
  label: z.nullable(requiredText(100)),
  /** Whether text on the picture is light or dark. */
  tone: z.enum(['LIGHT', 'DARK']),
  link: z.nullable(bannerLink),
  /** CUSTOM: HTML. */
  html: z.nullable(html),
  ...period,
})
const bannerRow = z.object({
  id: bannerId,
  type: bannerType,
  title: z.string(),
  /** The address of its picture; null without one. */
  picture: z.nullable(z.string()),
  link: z.nullable(bannerLink),
  /** Null without a link, and where visitors find what it leads to. */
  linkProblem: z.nullable(linkProblem),
  state: contentState,
})
export const storeBannerList = ordered(bannerRow)
export const storeBanner = z.extend(bannerRow, {
  ...bannerFields.shape,
  html: z.nullable(storedHtml),
  ...edited,
  imageDesktop: z.nullable(picture),
  /** Shown on phones in place of the other one. */
  imageMobile: z.nullable(picture),
  translations: translated('title', 'text', 'label', 'html'),
})
export type StoreBanner = z.output<typeof storeBanner>
export const storeBannerPath = z.object({ id: bannerId })
export const storeBannerCreate = bannerFields
export const storeBannerChange = z.extend(z.partial(bannerFields), {
  id: bannerId,
  translations: translatedChange({
    title: change.text,
    text: change.text,
    label: change.text,
    html: change.html,
  }),
})
export const storeBannerMove = z.object({ id: bannerId, position })

const pictureFile = z.file().check(z.minSize(1), z.maxSize(largestPicture))
const bannerPicture = z.object({ id: bannerId, place: z.enum(['desktop', 'mobile']) })
export const storeTextPicture = z.object({ file: pictureFile })
/** What the `<img>` of the text has. */
export const storeTextPictureAdded = z.object({ url: z.string(), width: z.int(), height: z.int() })

export const storeBannerPicture = z.extend(bannerPicture, { file: pictureFile })
export const storeBannerPicturePath = bannerPicture

/** The pictures of the settings, by the last part of their address. */
const brandPicture = z.enum(['logo', 'logo-dark', 'favicon', 'shared'])
export const storeBrandPicture = z.object({ picture: brandPicture, file: pictureFile })

export const htmlPreview = z.object({ html: z.string().check(cleanedHtml, z.maxLength(longestHtml)) })
export const htmlPreviewed = z.object({ html: z.string() })
