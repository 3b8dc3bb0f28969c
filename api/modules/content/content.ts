import { createPreviewLink, type PreviewDeps } from '#api/modules/tenancy/stores.ts'
import { type AuditActor, audit } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, invalidField, isFailure } from '#api/platform/context.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import {
  localesOf,
  textsIn,
  translate,
  translateParts,
  translateRow,
  translationFor,
  withTranslations,
} from '#api/platform/i18n/translations.ts'
import { sanitizeHtml } from '#api/platform/text.ts'
import { agreedPages, type StorePage } from '#contract/admin/content.ts'
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
import { readBanners, readFaq, readNotice, readNotices, readPage, readPages } from './content.queries.ts'
import {
  changeContent,
  contentKinds,
  createContent,
  deleteContent,
  moveContent,
  viewContent,
  viewOrder,
} from './edit-content.ts'
import { isDraft } from './starter-pages.ts'

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
  const rows = await readFaq(ctx.db, ctx.customer.id, ctx.clock.now().toISOString())
  // A group has one translated name, taken from any of its entries.
  const groups = new Map(
    rows.flatMap(({ group, translations }) => {
      const name = translationFor(ctx, translations)?.group
      return name ? [[group, name] as const] : []
    }),
  )
  return rows.map(({ translations, startsAt: _, endsAt: _end, ...row }) => {
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
  (await readPages(ctx.db, ctx.customer.id, ctx.clock.now().toISOString()))
    .filter(({ title, body }) => preview || !(isDraft(title) || isDraft(body)))
    .map(({ type, title, translations }) => ({
      ...translateRow(ctx, { type, title, translations }, ['title']),
      locales: localesOf(ctx.customer, translations, 'title'),
    }))

/** One page of the tenant. Failure: NOT_FOUND. */
export const getPage = async (ctx: Ctx, type: string, { preview }: Reader): Promise<SitePage | Failure> => {
  const row = await readPage(ctx.db, ctx.customer.id, type, ctx.clock.now().toISOString())
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

/** All pages, drafts included, in the order of the footer. */
export const listAllPages = async (ctx: Ctx) => ({
  items: (await readPages(ctx.db, ctx.customer.id, ctx.clock.now().toISOString())).map((row) => ({
    type: row.type,
    title: row.title,
    isDraft: isDraft(row.title) || isDraft(row.body),
    updatedAt: row.updatedAt,
    plannedAt: row.planned?.startsAt ?? null,
  })),
  ...(await viewOrder(ctx, 'pages')),
})

/** A page as operators edit it. Failure: NOT_FOUND. */
export const viewPage = async (ctx: Ctx, type: string): Promise<StorePage | Failure> => {
  const content = await viewContent(ctx, contentKinds.page, type)
  if (isFailure(content)) return content
  const { title, body, updatedAt, planned } = content.row
  return {
    type,
    title,
    body,
    updatedAt,
    isDraft: isDraft(title) || isDraft(body),
    plannedAt: planned?.startsAt ?? null,
    planned: planned && { ...planned, translations: textsIn(planned.translations, contentKinds.page.texts) },
    translations: content.translations,
    ...content.edited,
  }
}

type PageFields = Pick<StorePage, 'title' | 'body'>

type PageTranslations = Record<string, Partial<Record<keyof PageFields, string | null | undefined>>>

/** What is left out stays as it is. */
interface PageChange {
  type: string
  title?: string | undefined
  body?: string | undefined
  planned?:
    | (Omit<NonNullable<StorePage['planned']>, 'translations'> & { translations: PageTranslations })
    | null
    | undefined
  translations?: PageTranslations | undefined
}

/** Creates the last page. Failure: CONFLICT if there is a page of the type. */
export const createPage = async (ctx: Ctx, by: AuditActor, fields: PageFields & { type: string }) => {
  const columns = { ...fields, updatedAt: ctx.clock.now().toISOString() }
  return (await createContent(ctx, contentKinds.page, { by, id: fields.type }, columns)) ?? viewPage(ctx, fields.type)
}

/**
 * Changes a page as the caller saw it, or what it is from a later time on. Its date moves with its
 * text, because members agree to a version of a page. Failures: NOT_FOUND, VERSION_MISSING,
 * VERSION_CONFLICT, VALIDATION_FAILED.
 */
export const changePage = async (
  ctx: Ctx,
  by: AuditActor,
  expected: string | null,
  { type, planned, ...texts }: PageChange,
) => {
  const [now, i18n] = [ctx.clock.now(), messagesOf(ctx.locale)]
  const startsAt = planned && new Date(planned.startsAt)
  if (startsAt && startsAt <= now)
    return invalidField('planned.startsAt', i18n._('Enter a time that is still to come.'))
  const input = {
    ...texts,
    planned: startsAt
      ? {
          ...planned,
          startsAt: startsAt.toISOString(),
          translations: withTranslations({}, planned.translations),
        }
      : planned,
  }
  const isText = Object.values(texts).some((text) => text !== undefined)
  const derived = isText ? { updatedAt: now.toISOString() } : {}
  const write = { by, expected, id: type }
  return (await changeContent(ctx, contentKinds.page, write, input, derived)) ?? viewPage(ctx, type)
}

interface PageMove {
  type: string
  position: number
}

/** Moves a page. Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT. */
export const movePage = async (ctx: Ctx, by: AuditActor, expected: string | null, { type, position }: PageMove) =>
  (await moveContent(ctx, contentKinds.page, { by, expected, id: type }, position)) ?? listAllPages(ctx)

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
