import type pg from 'pg'
import type { AuditActor } from '#api/platform/audit.ts'
import { type Clock, type Ctx, type Customer, type Failure, invalidField, isFailure } from '#api/platform/context.ts'
import { withTenant } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { keysetPageOf, readCursor } from '#api/platform/platform.queries.ts'
import { maxNoticeFiles, type StoreBanner, type StoreFaq, type StoreNotice } from '#contract/admin/content.ts'
import type { BannerId, FaqId, NoticeId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'
import { ruleRedirect } from '#contract/route-rules.ts'
import {
  pageRows,
  pagesWithDueTexts,
  readAllBanners,
  readFaq,
  readLinkProblem,
  readNoticePage,
  stateAt,
} from './content.queries.ts'
import { publishedAt } from './content.ts'
import {
  applyNow,
  changeContent,
  contentKinds,
  createContent,
  moveContent,
  offeredIn,
  viewContent,
  viewOrder,
  type WriteCtx,
} from './edit-content.ts'

/** A part of an object: what is left out stays as it is. */
type Change<Fields> = { [Field in keyof Fields]?: Fields[Field] | undefined }
type Texts<Names extends string> = {
  translations?: Record<string, Partial<Record<Names, string | null | undefined>>> | undefined
}

/** Whether visitors see what has a period. */
const stateOf = (row: Parameters<typeof stateAt>[0], { clock }: Pick<Ctx, 'clock'>) =>
  stateAt(row, clock.now().toISOString())

interface NoticePage {
  q: string
  cursor?: string | undefined
  size: number
}

/** A page of the notices in any state, latest first. Failure: VALIDATION_FAILED for a cursor. */
export const pageNotices = async (ctx: Ctx, { q, cursor, size }: NoticePage) => {
  const after = readCursor(cursor)
  if (isFailure(after)) return after
  const rows = await readNoticePage(ctx.db, ctx.customer.id, { search: q.toLowerCase(), after, size })
  const { items, nextCursor } = keysetPageOf(rows, size)
  return { items: items.map((row) => ({ ...row, state: stateOf(row, ctx) })), nextCursor }
}

/** A notice as operators edit it. Failure: NOT_FOUND. */
export const viewNotice = async (ctx: Ctx, id: NoticeId): Promise<StoreNotice | Failure> => {
  const content = await viewContent(ctx, contentKinds.notice, id)
  if (isFailure(content)) return content
  const { row, edited, translations } = content
  const { customerId: _, translations: _texts, ...fields } = row
  return { ...fields, state: stateOf(row, ctx), translations, ...edited }
}

type NoticeFields = Pick<StoreNotice, 'title' | 'body' | 'pinned' | 'isDraft' | 'startsAt' | 'endsAt'>

/** Creates a notice. Failure: VALIDATION_FAILED. */
export const createNotice = async (ctx: Ctx, by: AuditActor, fields: NoticeFields) => {
  const id = newId<NoticeId>()
  const columns = { ...fields, id, createdAt: ctx.clock.now().toISOString() }
  return (await createContent(ctx, contentKinds.notice, { by, id }, columns)) ?? viewNotice(ctx, id)
}

/**
 * Changes a notice as the caller saw it: `expected` is the value of `If-Match`. Failures:
 * NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT, VALIDATION_FAILED.
 */
export const changeNotice = async (
  ctx: Ctx,
  by: AuditActor,
  expected: string | null,
  {
    id,
    attachments,
    ...input
  }: { id: NoticeId; attachments?: FileNames | undefined } & Change<NoticeFields> & Texts<'title' | 'body'>,
) => {
  const files = attachments && (await filesLeft(ctx, id, attachments))
  if (isFailure(files)) return files
  const translations: Record<string, Partial<Record<string, string | readonly string[] | null>>> = {
    ...files?.translations,
  }
  for (const [language, texts] of Object.entries(input.translations ?? {}))
    translations[language] = { ...translations[language], ...texts }
  const change = { ...input, ...(files && { attachments: files.attachments }), translations }
  const [write, derived] = [{ by, expected, id }, await publishedAt(ctx, id, input)]
  return (await changeContent(ctx, contentKinds.notice, write, change, derived)) ?? viewNotice(ctx, id)
}

/** Files of a notice by their addresses, with their new names. */
type FileNames = readonly { url: string; name: string }[]

/**
 * The files that stay with a notice, in their new order, and the translations of their names.
 * Failures: NOT_FOUND, VALIDATION_FAILED for a file that the notice does not have.
 */
const filesLeft = async (ctx: Ctx, id: NoticeId, names: FileNames) => {
  const content = await viewContent(ctx, contentKinds.notice, id, { lock: true })
  if (isFailure(content)) return content
  const i18n = messagesOf(ctx.locale)
  const { attachments, translations: stored } = content.row
  const places = names.map(({ url }) => attachments.findIndex((file) => file.url === url))
  if (places.includes(-1) || new Set(places).size < names.length)
    return invalidField('attachments', i18n._('This file is no longer there.'))
  const left = places.flatMap((place) => attachments[place] ?? []).map((file, at) => ({ ...file, ...names[at] }))
  const translations: Record<string, Record<string, string | readonly string[] | null>> = {}
  for (const [language, { attachment_names: before }] of Object.entries(stored))
    if (Array.isArray(before))
      translations[language] = { attachment_names: places.map((place) => String(before[place] ?? '')) }
  return { attachments: left, translations }
}

/** Adds a file to a notice, or renames the same one. Failures: NOT_FOUND, VALIDATION_FAILED. */
export const addNoticeFile = async (
  ctx: Ctx,
  by: AuditActor,
  { id, file }: { id: NoticeId; file: StoreNotice['attachments'][number] },
) => {
  const content = await viewContent(ctx, contentKinds.notice, id, { lock: true })
  if (isFailure(content)) return content
  const i18n = messagesOf(ctx.locale)
  const files = content.row.attachments
  // The same file again has the same address.
  const isNew = files.every(({ url }) => url !== file.url)
  if (isNew && files.length >= maxNoticeFiles) return invalidField('file', i18n._('A notice has at most 10 files.'))
  const change = { attachments: isNew ? [...files, file] : files.map((each) => (each.url === file.url ? file : each)) }
  return (await changeContent(ctx, contentKinds.notice, { by, id }, change)) ?? viewNotice(ctx, id)
}

/** All questions in their order. */
export const listAllFaq = async (ctx: Ctx) => ({
  items: (await readFaq(ctx.db, ctx.customer.id, null)).map(({ answer: _, translations: _texts, ...row }) => ({
    ...row,
    state: stateOf(row, ctx),
  })),
  ...(await viewOrder(ctx, 'faq')),
})

/** A question as operators edit it. Failure: NOT_FOUND. */
export const viewFaq = async (ctx: Ctx, id: FaqId): Promise<StoreFaq | Failure> => {
  const content = await viewContent(ctx, contentKinds.faq, id)
  if (isFailure(content)) return content
  const { customerId: _, sort: _sort, ...row } = content.row
  return { ...row, state: stateOf(row, ctx), translations: content.translations, ...content.edited }
}

type FaqTexts = Pick<StoreFaq, 'group' | 'question' | 'answer'>
type FaqFields = FaqTexts & Change<Pick<StoreFaq, 'isDraft' | 'startsAt' | 'endsAt'>>

/** Creates the last question. Failure: VALIDATION_FAILED. */
export const createFaq = async (ctx: Ctx, by: AuditActor, fields: FaqFields) => {
  const id = newId<FaqId>()
  const { isDraft = false, startsAt = null, endsAt = null, ...texts } = fields
  const columns = { ...texts, isDraft, startsAt, endsAt, id }
  return (await createContent(ctx, contentKinds.faq, { by, id }, columns)) ?? viewFaq(ctx, id)
}

/**
 * Changes a question as the caller saw it. Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT,
 * VALIDATION_FAILED.
 */
export const changeFaq = async (
  ctx: Ctx,
  by: AuditActor,
  expected: string | null,
  { id, ...input }: { id: FaqId } & Change<FaqFields> & Texts<keyof FaqTexts>,
) => (await changeContent(ctx, contentKinds.faq, { by, expected, id }, input)) ?? viewFaq(ctx, id)

interface Move<Id> {
  id: Id
  position: number
}

/** Moves a question. Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT. */
export const moveFaq = async (ctx: Ctx, by: AuditActor, expected: string | null, { id, position }: Move<FaqId>) =>
  (await moveContent(ctx, contentKinds.faq, { by, expected, id }, position)) ?? listAllFaq(ctx)

type ReadBanner = Pick<StoreBanner, 'type' | 'startsAt' | 'endsAt' | 'link' | 'linkProblem' | 'imageDesktop'>

/** What follows from the columns of a banner. */
const bannerFacts = (ctx: Ctx, row: ReadBanner) => {
  // What is missing at an address of the store may have another one by a redirect.
  const path = row.linkProblem === 'MISSING' && row.link?.target === 'URL' ? row.link.url.replace(/[?#].*$/, '') : null
  return {
    picture: row.imageDesktop?.url ?? null,
    linkProblem: path && ruleRedirect(path, ctx.customer.settings) ? null : row.linkProblem,
    // Without a place it is a draft.
    state: stateOf({ ...row, isDraft: row.type === 'NONE' }, ctx),
  }
}

/** All banners in any state, in their order. */
export const listAllBanners = async (ctx: Ctx) => ({
  items: (await readAllBanners(ctx.db, ctx.customer.id, offeredIn(ctx))).map((row) => ({
    id: row.id,
    type: row.type,
    title: row.title,
    link: row.link,
    ...bannerFacts(ctx, row),
  })),
  ...(await viewOrder(ctx, 'banners')),
})

/** A banner as operators edit it. Failure: NOT_FOUND. */
export const viewBanner = async (ctx: Ctx, id: BannerId): Promise<StoreBanner | Failure> => {
  const content = await viewContent(ctx, contentKinds.banner, id)
  if (isFailure(content)) return content
  const { customerId: _, sort: _sort, translations: _texts, ...row } = content.row
  const { edited, translations } = content
  const linkProblem = row.link && (await readLinkProblem(ctx.db, ctx.customer.id, row.link, offeredIn(ctx)))
  return { ...row, ...bannerFacts(ctx, { ...row, linkProblem }), translations, ...edited }
}

type BannerFields = Pick<
  StoreBanner,
  'type' | 'title' | 'text' | 'label' | 'tone' | 'link' | 'html' | 'startsAt' | 'endsAt'
>

/** Creates the last banner. Failure: VALIDATION_FAILED. */
export const createBanner = async (ctx: Ctx, by: AuditActor, fields: BannerFields) => {
  const id = newId<BannerId>()
  return (await createContent(ctx, contentKinds.banner, { by, id }, { ...fields, id })) ?? viewBanner(ctx, id)
}

/**
 * Changes a banner as the caller saw it. Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT,
 * VALIDATION_FAILED.
 */
export const changeBanner = async (
  ctx: Ctx,
  by: AuditActor,
  expected: string | null,
  { id, ...input }: { id: BannerId } & Change<BannerFields> & Texts<'title' | 'text' | 'label' | 'html'>,
) => (await changeContent(ctx, contentKinds.banner, { by, expected, id }, input)) ?? viewBanner(ctx, id)

interface BannerPicture {
  id: BannerId
  place: 'desktop' | 'mobile'
  /** Null removes it. */
  picture: Picture | null
}

/** Sets or removes a picture of a banner. Failure: NOT_FOUND. */
export const setBannerPicture = async (ctx: Ctx, by: AuditActor, { id, place, picture }: BannerPicture) => {
  const input = { [place === 'desktop' ? 'imageDesktop' : 'imageMobile']: picture }
  return (await changeContent(ctx, contentKinds.banner, { by, id }, input)) ?? viewBanner(ctx, id)
}

/** Moves a banner. Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT. */
export const moveBanner = async (ctx: Ctx, by: AuditActor, expected: string | null, { id, position }: Move<BannerId>) =>
  (await moveContent(ctx, contentKinds.banner, { by, expected, id }, position)) ?? listAllBanners(ctx)

/** Gives a page the planned texts whose time has come. Another process may have done so. */
const applyPlannedPage = async (ctx: WriteCtx, type: string): Promise<void> => {
  const stored = await pageRows.find(ctx.db, ctx.customer.id, type, { lock: true })
  if (stored) await applyNow(ctx, contentKinds.page, type, stored)
}

/**
 * Gives the pages of a store the planned texts whose time has come, with an entry of the history.
 * Visitors have read them from that time on.
 */
export const applyPlannedPages = async (
  { pool, clock }: { pool: pg.Pool; clock: Clock },
  customer: Customer,
): Promise<void> => {
  const due = await withTenant(pool, customer.id, (db) => pagesWithDueTexts(db, customer.id, clock.now()), {
    readOnly: true,
  })
  for (const type of due) await withTenant(pool, customer.id, (db) => applyPlannedPage({ db, customer, clock }, type))
}
