import { type AuditActor, audit, changesOf, historyOf, refuseOldVersion, versionOf } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import {
  type TranslationChange,
  textsIn,
  translationErrors,
  withTranslations,
} from '#api/platform/i18n/translations.ts'
import { picturedBanners } from '#contract/admin/content.ts'
import type { BannerLink } from '#contract/content.ts'
import type { CustomerId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'
import type { Translations } from '#contract/translations.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import * as query from './content.queries.ts'

type Fields = Record<string, unknown>
interface StoredRow {
  translations: Translations
  // What must fit together, of the kinds that have it.
  startsAt?: string | null
  endsAt?: string | null
  type?: string
  html?: string | null
  imageDesktop?: Picture | null
  link?: BannerLink | null
}
type Checked = Omit<StoredRow, 'translations'>

/** A kind of content: where it is stored, and what operators edit of it. */
interface Kind<Row extends StoredRow> {
  /** The first part of its actions and subjects in the audit log. */
  name: 'notice' | 'faq' | 'page' | 'banner'
  rows: {
    find: (db: TenantDb, customerId: CustomerId, key: string, how?: { lock?: boolean }) => Promise<Row | null>
    // Methods, so that each kind may have columns of its own.
    insert(db: TenantDb, row: Fields): Promise<boolean>
    update(db: TenantDb, customerId: CustomerId, key: string, values: Fields): Promise<void>
    remove: (db: TenantDb, customerId: CustomerId, key: string) => Promise<void>
  }
  fields: readonly (keyof Row & string)[]
  /** Those of the fields that are texts for visitors. */
  texts: readonly string[]
  /** The order that it has, if any. */
  order?: query.OrderedTable
  /** The row as it is at a time, where its fields depend on the time. */
  at?(row: Row, now: string): Row
}

const period = ['startsAt', 'endsAt'] as const
const publication = ['isDraft', ...period] as const

/** The kinds of content that operators edit. */
export const contentKinds = {
  notice: {
    name: 'notice',
    rows: query.noticeRows,
    fields: ['title', 'body', 'pinned', ...publication, 'attachments'],
    texts: ['title', 'body'],
  } satisfies Kind<NoticeRow>,
  faq: {
    name: 'faq',
    rows: query.faqRows,
    fields: ['group', 'question', 'answer', ...publication],
    texts: ['group', 'question', 'answer'],
    order: 'faq',
  } satisfies Kind<FaqRow>,
  page: {
    name: 'page',
    rows: query.pageRows,
    fields: ['title', 'body', 'planned', ...publication],
    texts: ['title', 'body'],
    order: 'pages',
    at: (row: PageRow, now: string): PageRow => query.pageAt(row, now),
  } satisfies Kind<PageRow>,
  banner: {
    name: 'banner',
    rows: query.bannerRows,
    fields: ['type', 'title', 'text', 'label', 'tone', 'link', 'html', ...period, 'imageDesktop', 'imageMobile'],
    texts: ['title', 'text', 'label', 'html'],
    order: 'banners',
  } satisfies Kind<BannerRow>,
}

type RowOf<Rows extends { find: (...args: never[]) => Promise<unknown> }> = NonNullable<
  Awaited<ReturnType<Rows['find']>>
>
type NoticeRow = RowOf<typeof query.noticeRows>
type FaqRow = RowOf<typeof query.faqRows>
type PageRow = RowOf<typeof query.pageRows>
type BannerRow = RowOf<typeof query.bannerRows>

/** The facts about a row in the audit log, such as `title` and `title.ko`. */
const factsOf = <Row extends StoredRow>({ fields, texts }: Kind<Row>, row: Row): Fields => ({
  ...Object.fromEntries(fields.map((name) => [name, row[name]])),
  ...Object.fromEntries(
    Object.entries(textsIn(row.translations, texts)).flatMap(([language, own]) =>
      Object.entries(own ?? {}).map(([name, text]) => [`${name}.${language}`, text]),
    ),
  ),
})

const invalid = (errors: Record<string, string[]>): Failure | null =>
  Object.keys(errors).length > 0 ? failure('VALIDATION_FAILED', { errors }) : null

/** On what it depends whether visitors find something. */
export const offeredIn = ({ customer, clock }: Pick<Ctx, 'customer' | 'clock'>) => ({
  order: customer.settings.order,
  now: clock.now().toISOString(),
})

const isMissing = async (ctx: Ctx, link: BannerLink) =>
  link.target !== 'URL' && (await query.readLinkProblem(ctx.db, ctx.customer.id, link, offeredIn(ctx))) === 'MISSING'

/** Whether visitors see a banner without its picture, now or from its start on. */
const lacksPicture = ({ clock }: Ctx, { type, endsAt, imageDesktop }: Checked) =>
  !imageDesktop && picturedBanners.some((place) => place === type) && (!endsAt || endsAt > clock.now().toISOString())

/** Why fields do not fit together, in the language of the person. */
const problemsOf = async (ctx: Ctx, row: Checked, translations: TranslationChange): Promise<Failure | null> => {
  const i18n = messagesOf(ctx.locale)
  const { startsAt, endsAt, type, html, link } = row
  return invalid({
    ...(startsAt && endsAt && startsAt >= endsAt && { endsAt: [i18n._('Enter an end after the start.')] }),
    ...(type === 'CUSTOM' && !html && { html: [i18n._('Enter the text of the banner.')] }),
    ...(lacksPicture(ctx, row) && {
      imageDesktop: [i18n._('The picture is missing. Add it, or choose “Not shown” as the place.')],
    }),
    ...(link && (await isMissing(ctx, link)) && { link: [i18n._('Choose something that the store has.')] }),
    ...translationErrors(ctx, translations),
  })
}

export type WriteCtx = Pick<Ctx, 'db' | 'customer' | 'clock'>

/** The same row where no time has come. */
const rowNow = <Row extends StoredRow>({ clock }: Pick<Ctx, 'clock'>, kind: Kind<Row>, row: Row): Row =>
  kind.at?.(row, clock.now().toISOString()) ?? row

/**
 * Returns a row as it is now. Where a time has come, writes it without the tenant, which a cluster
 * refuses to set, and says so in the history.
 */
export const applyNow = async <Row extends StoredRow>(ctx: WriteCtx, kind: Kind<Row>, id: string, stored: Row) => {
  const row = rowNow(ctx, kind, stored)
  if (row === stored) return stored
  const changes = changesOf<Fields>(factsOf(kind, stored), factsOf(kind, row))
  const { customerId: _, ...columns } = Object.fromEntries(Object.entries(row))
  await kind.rows.update(ctx.db, ctx.customer.id, id, columns)
  await audit(ctx, { actor: 'rule', action: `${kind.name}.changed`, subject: `${kind.name}:${id}`, changes })
  return row
}

/** A write of an object by a person or a program. */
interface Write {
  by: AuditActor
  /** The value of `If-Match`; undefined if the write names no version. */
  expected?: string | null
  id: string
}

/**
 * Creates an object with the given columns. One that has an order becomes the last. Failures:
 * CONFLICT if its key is taken, VALIDATION_FAILED.
 */
export const createContent = async <Row extends StoredRow>(
  ctx: Ctx,
  kind: Kind<Row>,
  { by, id }: Write,
  columns: Fields & Checked,
): Promise<Failure | null> => {
  const { db, customer } = ctx
  const problems = await problemsOf(ctx, columns, {})
  if (problems) return problems
  const sort = kind.order && (await nextPlace(ctx, kind.order))
  const row = { ...columns, customerId: customer.id, ...(sort !== undefined && { sort }) }
  if (!(await kind.rows.insert(db, row))) return failure('CONFLICT')
  const after = await kind.rows.find(db, customer.id, id)
  const changes = after ? changesOf<Fields>({}, factsOf(kind, after)) : {}
  await audit(ctx, { actor: by, action: `${kind.name}.created`, subject: `${kind.name}:${id}`, changes })
  return null
}

/**
 * Changes an object as the caller saw it, and records the values before and after. `derived` are
 * further columns of an object that changes. Failures: NOT_FOUND, VERSION_MISSING,
 * VERSION_CONFLICT, VALIDATION_FAILED.
 */
export const changeContent = async <Row extends StoredRow>(
  ctx: Ctx,
  kind: Kind<Row>,
  { by, expected, id }: Write,
  { translations = {}, ...input }: Fields & { translations?: TranslationChange | undefined },
  derived: Fields = {},
): Promise<Failure | null> => {
  const { db, customer } = ctx
  const stored = await kind.rows.find(db, customer.id, id, { lock: true })
  if (!stored) return failure('NOT_FOUND')
  const before = await applyNow(ctx, kind, id, stored)
  const subject = `${kind.name}:${id}`
  if (expected !== undefined) {
    const refused = await refuseOldVersion(ctx, { expected, version: versionOf(factsOf(kind, before)), subject })
    if (refused) return refused
  }
  const after: Row = {
    ...before,
    ...withoutUndefined(input),
    translations: withTranslations(before.translations, translations),
  }
  const problems = await problemsOf(ctx, after, translations)
  if (problems) return problems
  const changes = changesOf<Fields>(factsOf(kind, before), factsOf(kind, after))
  if (Object.keys(changes).length === 0) return null
  const values = Object.fromEntries(kind.fields.map((name) => [name, after[name]]))
  const columns = { ...values, ...derived, translations: after.translations }
  await kind.rows.update(db, customer.id, id, columns)
  await audit(ctx, { actor: by, action: `${kind.name}.changed`, subject, changes })
  return null
}

/**
 * Deletes an object as the caller saw it. Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT.
 */
export const deleteContent = async <Row extends StoredRow>(
  ctx: Ctx,
  kind: Kind<Row>,
  { by, expected = null, id }: Write,
): Promise<Failure | undefined> => {
  const stored = await kind.rows.find(ctx.db, ctx.customer.id, id, { lock: true })
  if (!stored) return failure('NOT_FOUND')
  const facts = factsOf(kind, rowNow(ctx, kind, stored))
  const subject = `${kind.name}:${id}`
  const refused = await refuseOldVersion(ctx, { expected, version: versionOf(facts), subject })
  if (refused) return refused
  await kind.rows.remove(ctx.db, ctx.customer.id, id)
  await audit(ctx, { actor: by, action: `${kind.name}.deleted`, subject, changes: changesOf<Fields>(facts, {}) })
  return undefined
}

/**
 * An object with its version and its history, for its editor. `lock` locks it until the transaction
 * ends, for a write that depends on what it reads. Failure: NOT_FOUND.
 */
export const viewContent = async <Row extends StoredRow>(
  ctx: Ctx,
  kind: Kind<Row>,
  id: string,
  how?: { lock?: boolean },
) => {
  const stored = await kind.rows.find(ctx.db, ctx.customer.id, id, how)
  if (!stored) return failure('NOT_FOUND')
  const row = rowNow(ctx, kind, stored)
  return {
    row,
    edited: { version: versionOf(factsOf(kind, row)), history: await historyOf(ctx, `${kind.name}:${id}`) },
    translations: textsIn(row.translations, kind.texts),
  }
}

/** The version of the order of a table, and who has changed it. */
export const viewOrder = async (ctx: Ctx, table: query.OrderedTable) => ({
  version: versionOf(await query.readOrder(ctx.db, ctx.customer.id, table)),
  history: await historyOf(ctx, table),
})

/** Locks the order of a table and returns the place after the last one. */
const nextPlace = async ({ db, customer }: Ctx, table: query.OrderedTable) => {
  await query.lockOrder(db, customer.id, table)
  const keys = await query.readOrder(db, customer.id, table)
  await query.writeOrder(db, customer.id, table, keys)
  return keys.length + 1
}

/**
 * Moves an object to a position from 1 among all of its kind. Failures: NOT_FOUND, VERSION_MISSING,
 * VERSION_CONFLICT.
 */
export const moveContent = async (
  ctx: Ctx,
  { name, order: table }: { name: Exclude<Kind<StoredRow>['name'], 'notice'>; order: query.OrderedTable },
  { by, expected = null, id }: Write,
  position: number,
): Promise<Failure | null> => {
  const { db, customer } = ctx
  await query.lockOrder(db, customer.id, table)
  const keys = await query.readOrder(db, customer.id, table)
  const from = keys.indexOf(id)
  if (from < 0) return failure('NOT_FOUND')
  const refused = await refuseOldVersion(ctx, { expected, version: versionOf(keys), subject: table })
  if (refused) return refused
  const after = keys.toSpliced(from, 1).toSpliced(position - 1, 0, id)
  await query.writeOrder(db, customer.id, table, after)
  const changes = changesOf<Fields>({ [id]: from + 1 }, { [id]: after.indexOf(id) + 1 })
  if (Object.keys(changes).length > 0) await audit(ctx, { actor: by, action: `${name}.moved`, subject: table, changes })
  return null
}
