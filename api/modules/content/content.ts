import { createPreviewLink, type PreviewDeps } from '#api/modules/tenancy/stores.ts'
import { type AuditActor, audit } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import { localesOf, translate, translateParts, translateRow, translationFor } from '#api/platform/i18n/translations.ts'
import { sanitizeHtml } from '#api/platform/text.ts'
import {
  type Banner,
  bannerLink,
  type FaqEntry,
  type Notice,
  type NoticeSummary,
  type SitePage,
} from '#contract/content.ts'
import type { NoticeId } from '#contract/ids.ts'
import type { Page, PagingQuery } from '#contract/paging.ts'
import type { Translations } from '#contract/translations.ts'
import { readBanners, readFaq, readNotice, readNotices, readPage, readPageLinks } from './content.queries.ts'
import { contentKinds, viewContent } from './edit-content.ts'
import { isDraft } from './starter-pages.ts'

/** All banners within their period, in order. A banner with an unsafe link has none. */
export const listBanners = async (ctx: Ctx): Promise<Banner[]> => {
  const { customer, db, clock, log } = ctx
  const rows = await readBanners(db, customer.id, clock.now().toISOString(), customer.settings.order)
  const linkOf = ({ id, link }: (typeof rows)[number]) => {
    const read = bannerLink.safeParse(link)
    if (link && !read.success) log.warn({ bannerId: id, link }, 'A banner has an invalid link')
    return read.data ?? null
  }
  return rows.map((row) => {
    const banner = translateRow(ctx, row, ['title', 'text', 'label', 'html'])
    return {
      ...banner,
      link: linkOf(row),
      type: row.type,
      tone: row.tone,
      html: banner.html === null ? null : sanitizeHtml(banner.html),
    }
  })
}

const plain = (text: string) =>
  text
    .replace(/<[^>]*>/g, ' ')
    .normalize('NFKC')
    .toLowerCase()

/** All questions in the tenant's order. */
export const listFaq = async (ctx: Ctx): Promise<FaqEntry[]> => {
  const rows = await readFaq(ctx.db, ctx.customer.id)
  // A group has one translated name, taken from any of its entries.
  const groups = new Map(
    rows.flatMap(({ group, translations }) => {
      const name = translationFor(ctx, translations)?.group
      return name ? [[group, name] as const] : []
    }),
  )
  return rows.map(({ translations, ...row }) => {
    const translation = { ...translationFor(ctx, translations), group: groups.get(row.group) ?? '' }
    const entry = translate(ctx, row, translation, ['group', 'question', 'answer'])
    return { ...entry, answer: sanitizeHtml(entry.answer) }
  })
}

/** Returns the entries that contain every word of `q` in the question, the answer or the group. */
export const searchFaq = (entries: readonly FaqEntry[], q: string) => {
  const words = plain(q).split(/\s+/).filter(Boolean)
  return entries.filter((entry) => {
    const text = plain(`${entry.group} ${entry.question} ${entry.answer}`)
    return words.every((word) => text.includes(word))
  })
}

/** Notices within their period, pinned first, then latest. */
export const listNotices = async (ctx: Ctx, paging: PagingQuery): Promise<Page<NoticeSummary>> => {
  const { items, total } = await readNotices(ctx.db, ctx.customer.id, ctx.clock.now().toISOString(), paging)
  return { items: items.map((row) => summaryOf(ctx, row)), total, ...paging }
}

/** One notice with the previous and the next one. Failure: NOT_FOUND. */
export const getNotice = async (ctx: Ctx, id: NoticeId): Promise<Notice | Failure> => {
  const row = await readNotice(ctx.db, ctx.customer.id, id, {
    now: ctx.clock.now().toISOString(),
    previewed: ctx.previewedNotice ?? null,
  })
  if (!row) return failure('NOT_FOUND')
  const notice = translateRow(ctx, row, ['title', 'body'])
  return {
    ...notice,
    body: sanitizeHtml(notice.body),
    attachments: translateParts(
      ctx,
      row.attachments,
      'name',
      translationFor(ctx, row.translations),
      'attachment_names',
    ),
    locales: localesOf(ctx.customer, row.translations, 'title'),
    previous: row.previous && summaryOf(ctx, row.previous),
    next: row.next && summaryOf(ctx, row.next),
  }
}

const summaryOf = <Row extends { title: string; translations: Translations }>(ctx: Ctx, row: Row) => ({
  ...translateRow(ctx, row, ['title']),
  locales: localesOf(ctx.customer, row.translations, 'title'),
})

interface Reader {
  /** A preview token shows drafts; other visitors do not see them. */
  preview: boolean
}

/** The tenant's pages in footer order. */
export const listPages = async (ctx: Ctx, { preview }: Reader) =>
  (await readPageLinks(ctx.db, ctx.customer.id))
    .filter((page) => preview || !page.isDraft)
    .map(({ isDraft: _, ...row }) => ({
      ...translateRow(ctx, row, ['title']),
      locales: localesOf(ctx.customer, row.translations, 'title'),
    }))

/** One page of the tenant. Failure: NOT_FOUND. */
export const getPage = async (ctx: Ctx, type: string, { preview }: Reader): Promise<SitePage | Failure> => {
  const row = await readPage(ctx.db, ctx.customer.id, type)
  if (!row) return failure('NOT_FOUND')
  const page = translateRow(ctx, row, ['title', 'body'])
  if (!preview && [row.title, row.body, page.title, page.body].some(isDraft)) return failure('NOT_FOUND')
  return { ...page, body: sanitizeHtml(page.body), locales: localesOf(ctx.customer, row.translations, 'title') }
}

/**
 * The date that a change gives to a notice which visitors have not seen: when they begin to see it.
 */
export const publishedAt = async (
  ctx: Ctx,
  id: NoticeId,
  { isDraft: draft, startsAt }: { isDraft?: boolean | undefined; startsAt?: string | null | undefined },
) => {
  if (draft !== false && startsAt === undefined) return {}
  const content = await viewContent(ctx, contentKinds.notice, id, { lock: true })
  if (isFailure(content)) return {}
  const { row } = content
  const now = ctx.clock.now().toISOString()
  const isUnseen = row.isDraft ? draft === false : draft !== true && row.createdAt > now
  if (!isUnseen) return {}
  const begins = (startsAt === undefined ? row.startsAt : startsAt) ?? now
  return { createdAt: begins > now ? begins : now }
}

/**
 * Creates a link that shows a notice in any state, valid for a week. Failures: NOT_FOUND,
 * VALIDATION_FAILED for a time that has passed.
 */
export const createNoticePreview = async (
  ctx: Ctx,
  by: AuditActor,
  { id, ...deps }: { id: NoticeId } & PreviewDeps,
) => {
  const content = await viewContent(ctx, contentKinds.notice, id)
  if (isFailure(content)) return content
  const link = createPreviewLink(ctx, deps, `/notices/${id}`, id)
  if (isFailure(link)) return link
  const subject = `${contentKinds.notice.name}:${id}`
  const detail = { expiresAt: link.expiresAt, at: deps.at ?? null }
  await audit(ctx, { actor: by, action: 'notice.preview-created', subject, detail })
  return link
}
