import * as z from 'zod/mini'
import { bannerType, locale } from './enumerations.ts'
import { bannerId, categoryId, faqId, noticeId, planCode, productCode } from './ids.ts'
import { linkUrl } from './menu.ts'
import { pageOf } from './paging.ts'
import { picture } from './picture.ts'
import { textLanguages } from './translations.ts'

/** The target of a banner. URL is for pages outside of the catalogue. */
export const bannerLink = z.discriminatedUnion('target', [
  z.object({ target: z.literal('CATEGORY'), categoryId }),
  z.object({ target: z.literal('PRODUCT'), productCode }),
  z.object({ target: z.literal('PLAN'), planCode }),
  z.object({ target: z.literal('URL'), url: linkUrl }),
])
export type BannerLink = z.output<typeof bannerLink>

export const banner = z.object({
  id: bannerId,
  type: bannerType,
  title: z.string(),
  text: z.string(),
  label: z.nullable(z.string()),
  imageDesktop: z.nullable(picture),
  imageMobile: z.nullable(picture),
  /** Whether text on the picture is light or dark. */
  tone: z.enum(['LIGHT', 'DARK']),
  link: z.nullable(bannerLink),
  /** CUSTOM: sanitised HTML. */
  html: z.nullable(z.string()),
  languages: textLanguages,
})
export type Banner = z.output<typeof banner>

const noticeSummary = z.object({
  id: noticeId,
  title: z.string(),
  pinned: z.boolean(),
  createdAt: z.iso.datetime(),
  /** The store's own language, and those with a translated title. */
  locales: z.array(locale),
  languages: textLanguages,
})
export const notice = z.extend(noticeSummary, {
  /** Sanitised HTML. */
  body: z.string(),
  attachments: z.array(z.object({ name: z.string(), bytes: z.int(), url: z.string(), languages: textLanguages })),
  previous: z.nullable(noticeSummary),
  next: z.nullable(noticeSummary),
})
export type NoticeSummary = z.output<typeof noticeSummary>
export type Notice = z.output<typeof notice>
export const noticePage = pageOf(noticeSummary)

export const faqQuery = z.object({ q: z.optional(z.string().check(z.maxLength(100))) })
/** `answer` is sanitised HTML. */
export const faqEntry = z.object({
  id: faqId,
  group: z.string(),
  question: z.string(),
  answer: z.string(),
  languages: textLanguages,
})
export type FaqEntry = z.output<typeof faqEntry>

/** A page of the store, such as terms, privacy, refund or about. `body` is sanitised HTML. */
export const sitePage = z.object({
  type: z.string(),
  title: z.string(),
  body: z.string(),
  updatedAt: z.iso.datetime(),
  /** The store's own language, and those with a translated title. */
  locales: z.array(locale),
  languages: textLanguages,
})
export type SitePage = z.output<typeof sitePage>
export const sitePageLink = z.pick(sitePage, { type: true, title: true, locales: true, languages: true })
