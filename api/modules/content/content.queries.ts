import { and, asc, count, desc, eq, getTableColumns, gt, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { isFreeOfCharge, withValues } from '#api/modules/catalog/products.queries.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { KeysetPosition } from '#api/platform/platform.queries.ts'
import type { LinkProblem } from '#contract/admin/content.ts'
import type { BannerLink } from '#contract/content.ts'
import type { CustomerId, FaqId, NoticeId } from '#contract/ids.ts'
import type { PagingQuery } from '#contract/paging.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { banners, faq, linkProblemSql, notices, pageAt, pages, rowsByKey } from './content.schema.ts'

export { isUnfinished, pageAt, stateAt } from './content.schema.ts'

type Period = typeof notices | typeof banners | typeof faq

/** Within its period, both ends optional. */
const visibleAt = (table: Period, now: string): SQL | undefined =>
  and(or(isNull(table.startsAt), lte(table.startsAt, now)), or(isNull(table.endsAt), gt(table.endsAt, now)))

/** Published and within its period. */
const publishedAt = (table: typeof notices | typeof faq, now: string) =>
  and(eq(table.isDraft, false), visibleAt(table, now))

/** What visitors see of notices. */
const visibleNotice = (customerId: CustomerId, now: string) =>
  and(eq(notices.customerId, customerId), publishedAt(notices, now))

const noticeSummary = {
  id: notices.id,
  title: notices.title,
  translations: notices.translations,
  pinned: notices.pinned,
  createdAt: notices.createdAt,
}

/** What decides whether visitors find something: the store's settings and the time. */
interface Offered {
  order: SiteSettings['order']
  now: string
}

const linkProblem = (link: string, { useFree, useSubscribe }: SiteSettings['order']) =>
  linkProblemSql(link, { useSubscribe, isFree: useFree ? 'false' : isFreeOfCharge('o') })

/** Why visitors do not find what a link leads to; null if they do, or if nobody can know. */
export const readLinkProblem = async (
  db: TenantDb,
  customerId: CustomerId,
  link: BannerLink,
  { order, now }: Offered,
): Promise<LinkProblem | null> => {
  const { rows } = await db.$client.query<{ problem: LinkProblem | null }>(
    `SELECT nullif(${linkProblem('$3::jsonb', order)}, '') AS problem WHERE $1::uuid IS NOT NULL AND $2::text IS NOT NULL`,
    [customerId, now, JSON.stringify(link)],
  )
  return rows[0]?.problem ?? null
}

/**
 * Returns the banners within their period, in order. Those that lead to a product which visitors do
 * not find are left out.
 */
export const readBanners = (db: TenantDb, customerId: CustomerId, { order, now }: Offered) =>
  db
    .select({
      id: banners.id,
      type: banners.type,
      title: banners.title,
      text: banners.text,
      label: banners.label,
      imageDesktop: banners.imageDesktop,
      imageMobile: banners.imageMobile,
      tone: banners.tone,
      link: banners.link,
      html: banners.html,
      translations: banners.translations,
    })
    .from(banners)
    .where(
      and(
        eq(banners.customerId, customerId),
        visibleAt(banners, now),
        sql`(${banners.link}->>'target' = 'PRODUCT' AND ${withValues(linkProblem('banners.link', order), [customerId, now])} <> '') IS NOT TRUE`,
      ),
    )
    .orderBy(asc(banners.sort), asc(banners.id))

/** Returns a page of the published notices, the pinned and the latest first, and their number. */
export const readNotices = async (db: TenantDb, customerId: CustomerId, now: string, { page, size }: PagingQuery) => {
  const shown = visibleNotice(customerId, now)
  const items = await db
    .select(noticeSummary)
    .from(notices)
    .where(shown)
    .orderBy(desc(notices.pinned), desc(notices.createdAt), desc(notices.id))
    .limit(size)
    .offset((page - 1) * size)
  const [counted] = await db.select({ total: count() }).from(notices).where(shown)
  return { items, total: counted?.total ?? 0 }
}

/**
 * Returns a published notice with the older and the newer one, or null. `previewed` is a notice in
 * any state.
 */
export const readNotice = async (
  db: TenantDb,
  customerId: CustomerId,
  id: NoticeId,
  { now, previewed }: { now: string; previewed: NoticeId | null },
) => {
  const [notice] = await db
    .select({ ...noticeSummary, body: notices.body, attachments: notices.attachments })
    .from(notices)
    .where(
      and(
        eq(notices.customerId, customerId),
        eq(notices.id, id),
        id === previewed ? undefined : visibleNotice(customerId, now),
      ),
    )
  if (!notice) return null
  const neighbour = async (direction: 'older' | 'newer') => {
    const beyond = direction === 'older' ? lt : gt
    const order = direction === 'older' ? desc : asc
    const [row] = await db
      .select(noticeSummary)
      .from(notices)
      .where(
        and(
          visibleNotice(customerId, now),
          or(
            beyond(notices.createdAt, notice.createdAt),
            and(eq(notices.createdAt, notice.createdAt), beyond(notices.id, id)),
          ),
        ),
      )
      .orderBy(order(notices.createdAt), order(notices.id))
      .limit(1)
    return row ?? null
  }
  return { ...notice, previous: await neighbour('older'), next: await neighbour('newer') }
}

/**
 * Returns the questions that are shown at a time, in their order; without one, all of them.
 * `previewed` is a question in any state.
 */
export const readFaq = (db: TenantDb, customerId: CustomerId, shown: { now: string; previewed: FaqId | null } | null) =>
  db
    .select({
      id: faq.id,
      group: faq.group,
      question: faq.question,
      answer: faq.answer,
      translations: faq.translations,
      isDraft: faq.isDraft,
      startsAt: faq.startsAt,
      endsAt: faq.endsAt,
    })
    .from(faq)
    .where(
      and(
        eq(faq.customerId, customerId),
        shown ? or(publishedAt(faq, shown.now), shown.previewed ? eq(faq.id, shown.previewed) : undefined) : undefined,
      ),
    )
    .orderBy(asc(faq.sort), asc(faq.id))

/** Returns all pages with their texts at a time, in their order. */
export const readPages = async (db: TenantDb, customerId: CustomerId, now: string) => {
  const rows = await db
    .select()
    .from(pages)
    .where(eq(pages.customerId, customerId))
    .orderBy(asc(pages.sort), asc(pages.type))
  return rows.map((row) => pageAt(row, now))
}

/** Returns the types of the pages whose planned texts are due at a time. */
export const pagesWithDueTexts = async (db: TenantDb, customerId: CustomerId, now: Date): Promise<string[]> => {
  const isDue = sql`(${pages.planned}->>'startsAt')::timestamptz <= ${now.toISOString()}`
  const rows = await db
    .select({ type: pages.type })
    .from(pages)
    .where(and(eq(pages.customerId, customerId), isDue))
  return rows.map(({ type }) => type)
}

/** Returns a page of the store at a time by its type, with its translations, or null. */
export const readPage = async (db: TenantDb, customerId: CustomerId, type: string, now: string) => {
  const [page] = await db
    .select()
    .from(pages)
    .where(and(eq(pages.customerId, customerId), eq(pages.type, type)))
  if (!page) return null
  const { customerId: _, sort: _sort, planned: _planned, ...row } = pageAt(page, now)
  return row
}

/** Inserts pages in their order. */
export const insertPages = async (
  db: TenantDb,
  customerId: CustomerId,
  texts: readonly { type: string; title: string; body: string }[],
  now: Date,
): Promise<void> => {
  const updatedAt = now.toISOString()
  await db.insert(pages).values(texts.map((text, sort) => ({ customerId, ...text, sort, updatedAt })))
}

export const noticeRows = rowsByKey(notices, notices.id)
export const faqRows = rowsByKey(faq, faq.id)
export const pageRows = rowsByKey(pages, pages.type)
export const bannerRows = rowsByKey(banners, banners.id)

interface NoticePageFilter {
  /** A part of a title in lower case. */
  search: string
  after: KeysetPosition | null
  size: number
}

/** One more notice in any state than the page has, latest first. */
export const readNoticePage = async (
  db: TenantDb,
  customerId: CustomerId,
  { search, after, size }: NoticePageFilter,
) => {
  const { rows } = await db.$client.query<
    Pick<typeof notices.$inferSelect, 'id' | 'title' | 'pinned' | 'isDraft' | 'startsAt' | 'endsAt' | 'createdAt'> & {
      keyset: KeysetPosition
    }
  >(
    `SELECT jsonb_build_object('at', created_at::text, 'id', id) AS keyset, id, title, pinned,
            is_draft AS "isDraft", starts_at AS "startsAt", ends_at AS "endsAt", created_at AS "createdAt"
       FROM notices
      WHERE customer_id = $1 AND ($2 = '' OR strpos(lower(title), $2) > 0)
        AND ${after === null ? '$3::timestamptz IS NULL AND $4::uuid IS NULL' : '(created_at, id) < ($3::timestamptz, $4::uuid)'}
      ORDER BY created_at DESC, id DESC LIMIT $5`,
    [customerId, search, after?.at ?? null, after?.id ?? null, size + 1],
  )
  return rows
}

/** Returns all banners in any state, in their order, each with the problem of its link. */
export const readAllBanners = (db: TenantDb, customerId: CustomerId, { order, now }: Offered) => {
  const problem = withValues(linkProblem('banners.link', order), [customerId, now])
  return db
    .select({ ...getTableColumns(banners), linkProblem: sql<LinkProblem | null>`nullif(${problem}, '')` })
    .from(banners)
    .where(eq(banners.customerId, customerId))
    .orderBy(asc(banners.sort), asc(banners.id))
}

const orderKeys = { faq: 'id', pages: 'type', banners: 'id' } as const
/** What has an order that operators choose. */
export type OrderedTable = keyof typeof orderKeys

/** Serializes changes of the order of a table until the transaction ends. */
export const lockOrder = (db: TenantDb, customerId: CustomerId, table: OrderedTable) =>
  db.$client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 8))', [`${table} ${customerId}`])

/** Returns the keys of a table in their order. */
export const readOrder = async (db: TenantDb, customerId: CustomerId, table: OrderedTable): Promise<string[]> => {
  const key = orderKeys[table]
  const { rows } = await db.$client.query<{ key: string }>(
    `SELECT ${key} AS key FROM ${table} WHERE customer_id = $1 ORDER BY sort, ${key}`,
    [customerId],
  )
  return rows.map((row) => row.key)
}

/** Gives the rows of a table the order of their keys. */
export const writeOrder = (db: TenantDb, customerId: CustomerId, table: OrderedTable, keys: readonly string[]) =>
  db.$client.query(
    `UPDATE ${table} t SET sort = placed.place::int
       FROM unnest($2::text[]) WITH ORDINALITY AS placed (key, place)
      WHERE t.customer_id = $1 AND t.${orderKeys[table]}::text = placed.key AND t.sort <> placed.place`,
    [customerId, keys],
  )
