import { createPreviewLink, type PreviewDeps, pageToken } from '#api/modules/tenancy/stores.ts'
import { type AuditActor, audit } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import {
  localesOf,
  textsIn,
  translate,
  translateParts,
  translateRow,
  translationFor,
} from '#api/platform/i18n/translations.ts'
import { sanitizeHtml } from '#api/platform/text.ts'
import { agreedPages, type StorePage } from '#contract/admin/content.ts'
import { escapeText } from '#contract/captions.ts'
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
import type { SiteSettings } from '#contract/tenancy.ts'
import type { Translations } from '#contract/translations.ts'
import {
  isUnfinished,
  readBanners,
  readFaq,
  readNotice,
  readNotices,
  readPage,
  readPages,
  stateAt,
} from './content.queries.ts'
import { contentKinds, deleteContent, viewContent, viewOrder } from './edit-content.ts'

/** All banners within their period, in order. A banner with an unsafe link has none. */
export const listBanners = async (ctx: Ctx): Promise<Banner[]> => {
  const { customer, db, clock, log } = ctx
  const rows = await readBanners(db, customer.id, { order: customer.settings.order, now: clock.now().toISOString() })
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

/** The questions that are shown now, in the tenant's order. */
export const listFaq = async (ctx: Ctx): Promise<FaqEntry[]> => {
  const previewed = ctx.previewedContent?.faq ?? null
  const rows = await readFaq(ctx.db, ctx.customer.id, { now: ctx.clock.now().toISOString(), previewed })
  // A group has one translated name, taken from any of its entries.
  const groups = new Map(
    rows.flatMap(({ group, translations }) => {
      const name = translationFor(ctx, translations)?.group
      return name ? [[group, name] as const] : []
    }),
  )
  return rows.map(({ translations, isDraft: _, startsAt: _start, endsAt: _end, ...row }) => {
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
    previewed: ctx.previewedContent?.notice ?? null,
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

/** Whether visitors see a page with these texts at a time. */
const isShown = (row: Parameters<typeof stateAt>[0], texts: readonly string[], { clock }: Ctx) =>
  stateAt(row, clock.now().toISOString()) === 'SHOWN' && !texts.some(isUnfinished)

/** The tenant's pages in footer order. */
export const listPages = async (ctx: Ctx, { preview }: Reader) =>
  (await readPages(ctx.db, ctx.customer.id, ctx.clock.now().toISOString()))
    .filter((row) => preview || isShown(row, [row.title, row.body], ctx))
    .map(({ type, title, translations }) => ({
      ...translateRow(ctx, { type, title, translations }, ['title']),
      locales: localesOf(ctx.customer, translations, 'title'),
    }))

/** One page of the tenant. Failure: NOT_FOUND. */
export const getPage = async (ctx: Ctx, type: string, { preview }: Reader): Promise<SitePage | Failure> => {
  const row = await readPage(ctx.db, ctx.customer.id, type, ctx.clock.now().toISOString())
  if (!row) return failure('NOT_FOUND')
  const { isDraft: _, startsAt: _start, endsAt: _end, ...columns } = row
  const page = translateRow(ctx, columns, ['title', 'body'])
  const isPreviewed = preview || ctx.previewedContent?.page === type
  if (!isPreviewed && !isShown(row, [row.title, row.body, page.title, page.body], ctx)) return failure('NOT_FOUND')
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

/** What a preview link shows in any state, and its address in the store. */
const previews = {
  notice: (id: string) => ({ path: `/notices/${id}`, shown: id }),
  faq: (id: string) => ({ path: '/faq', part: id, shown: id }),
  page: (type: string) => ({ path: `/pages/${type}`, shown: pageToken(type) }),
} as const

/**
 * Creates a link that shows a notice, a question or a page in any state, valid for a week.
 * Failures: NOT_FOUND, VALIDATION_FAILED for a time that has passed.
 */
export const createContentPreview = async (
  ctx: Ctx,
  by: AuditActor,
  { kind, id, ...deps }: { kind: keyof typeof previews; id: string } & PreviewDeps,
) => {
  const { name } = contentKinds[kind]
  if ((await contentKinds[kind].rows.find(ctx.db, ctx.customer.id, id)) === null) return failure('NOT_FOUND')
  const link = createPreviewLink(ctx, deps, previews[kind](id))
  if (isFailure(link)) return link
  const detail = { expiresAt: link.expiresAt, at: deps.at ?? null }
  await audit(ctx, { actor: by, action: `${name}.preview-created`, subject: `${name}:${id}`, detail })
  return link
}

/** Whether visitors see a page, and why not. */
const publicationOf = (
  { clock }: Pick<Ctx, 'clock'>,
  { title, body, isDraft, startsAt, endsAt }: Pick<StorePage, 'title' | 'body' | 'isDraft' | 'startsAt' | 'endsAt'>,
) => {
  const unfinished = isUnfinished(title) || isUnfinished(body)
  const state = unfinished ? ('DRAFT' as const) : stateAt({ isDraft, startsAt, endsAt }, clock.now().toISOString())
  return { isDraft, startsAt, endsAt, isUnfinished: unfinished, state }
}

/** All pages, drafts included, in the order of the footer. */
export const listAllPages = async (ctx: Ctx) => ({
  items: (await readPages(ctx.db, ctx.customer.id, ctx.clock.now().toISOString())).map((row) => ({
    type: row.type,
    title: row.title,
    ...publicationOf(ctx, row),
    updatedAt: row.updatedAt,
    plannedAt: row.planned?.startsAt ?? null,
  })),
  ...(await viewOrder(ctx, 'pages')),
})

/** The facts of the store that new pages leave open, by their names in each language. */
const openCompany = /\[FILL IN: (?:company|상호|会社名|اسم الشركة)\]/g
const openEmail = /\[FILL IN: (?:email|이메일|メールアドレス|البريد الإلكتروني)\]/g

const filled = (text: string, place: RegExp, fact: string | null | undefined) =>
  fact ? text.replaceAll(place, () => escapeText(fact)) : text

/** Fills in what the settings say by now. Whoever saves the page keeps it. */
const fillIn = (text: string, { company, email }: SiteSettings['business']) =>
  filled(filled(text, openCompany, company), openEmail, email)

/** A page as operators edit it. Failure: NOT_FOUND. */
export const viewPage = async (ctx: Ctx, type: string): Promise<StorePage | Failure> => {
  const content = await viewContent(ctx, contentKinds.page, type)
  if (isFailure(content)) return content
  const { title, body, updatedAt, planned } = content.row
  return {
    type,
    title,
    body: fillIn(body, ctx.customer.settings.business),
    updatedAt,
    ...publicationOf(ctx, content.row),
    plannedAt: planned?.startsAt ?? null,
    planned: planned && { ...planned, translations: textsIn(planned.translations, contentKinds.page.texts) },
    translations: content.translations,
    ...content.edited,
  }
}

/**
 * Deletes an object as the caller saw it. Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT,
 * CONFLICT for a page that members agree to.
 */
export const deleteOne = (
  ctx: Ctx,
  kind: keyof typeof contentKinds,
  write: { by: AuditActor; expected: string | null; id: string },
): Promise<Failure | undefined> => {
  if (kind === 'notice') return deleteContent(ctx, contentKinds.notice, write)
  if (kind === 'faq') return deleteContent(ctx, contentKinds.faq, write)
  if (kind === 'banner') return deleteContent(ctx, contentKinds.banner, write)
  return agreedPages.includes(write.id)
    ? Promise.resolve(failure('CONFLICT'))
    : deleteContent(ctx, contentKinds.page, write)
}
