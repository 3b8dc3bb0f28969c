import { and, asc, count, desc, eq, gt, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { isFreeOfCharge } from '#api/modules/catalog/products.queries.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { CustomerId, NoticeId } from '#contract/ids.ts'
import type { PagingQuery } from '#contract/paging.ts'
import { banners, faq, notices, pages } from './content.schema.ts'

/** Matches the mark of a draft or of a gap to fill in, in JavaScript and PostgreSQL. */
export const draftPattern = String.raw`\[(?:DRAFT|FILL IN[^\]]*)\]`

type Period = typeof notices | typeof banners

/** Within its period, both ends optional. */
const visibleAt = (table: Period, now: string): SQL | undefined =>
  and(or(isNull(table.startsAt), lte(table.startsAt, now)), or(isNull(table.endsAt), gt(table.endsAt, now)))

const noticeSummary = {
  id: notices.id,
  title: notices.title,
  translations: notices.translations,
  pinned: notices.pinned,
  createdAt: notices.createdAt,
}

/** The banner links to a product that costs nothing. */
const leadsToFree = sql`(${banners.link}->>'target' = 'PRODUCT' AND EXISTS (
  SELECT FROM products p WHERE p.customer_id = ${banners.customerId} AND p.code = ${banners.link}->>'productCode'
     AND ${sql.raw(isFreeOfCharge('p'))}))`

/** Without `useFree`, banners of free products are left out. */
export const readBanners = (db: TenantDb, customerId: CustomerId, now: string, { useFree }: { useFree: boolean }) =>
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
        useFree ? undefined : sql`${leadsToFree} IS NOT TRUE`,
      ),
    )
    .orderBy(asc(banners.sort), asc(banners.id))

/** Returns a page of the published notices, the pinned and the latest first, and their number. */
export const readNotices = async (db: TenantDb, customerId: CustomerId, now: string, { page, size }: PagingQuery) => {
  const shown = and(eq(notices.customerId, customerId), visibleAt(notices, now))
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

/** Returns a published notice with the older and the newer one, or null. */
export const readNotice = async (db: TenantDb, customerId: CustomerId, id: NoticeId, now: string) => {
  const [notice] = await db
    .select({ ...noticeSummary, body: notices.body, attachments: notices.attachments })
    .from(notices)
    .where(and(eq(notices.customerId, customerId), eq(notices.id, id), visibleAt(notices, now)))
  if (!notice) return null
  const neighbour = async (direction: 'older' | 'newer') => {
    const beyond = direction === 'older' ? lt : gt
    const order = direction === 'older' ? desc : asc
    const [row] = await db
      .select(noticeSummary)
      .from(notices)
      .where(
        and(
          eq(notices.customerId, customerId),
          visibleAt(notices, now),
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

/** Returns all questions in their order. */
export const readFaq = (db: TenantDb, customerId: CustomerId) =>
  db
    .select({
      id: faq.id,
      group: faq.group,
      question: faq.question,
      answer: faq.answer,
      translations: faq.translations,
    })
    .from(faq)
    .where(eq(faq.customerId, customerId))
    .orderBy(asc(faq.sort), asc(faq.id))

/** Returns the titles of all pages, drafts included. */
export const readPageLinks = (db: TenantDb, customerId: CustomerId) =>
  db
    .select({
      type: pages.type,
      title: pages.title,
      translations: pages.translations,
      isDraft: sql<boolean>`${pages.title} ~ ${draftPattern} OR ${pages.body} ~ ${draftPattern}`,
    })
    .from(pages)
    .where(eq(pages.customerId, customerId))
    .orderBy(asc(pages.sort), asc(pages.type))

/** Returns a page of the store by its type, with its translations, or null. */
export const readPage = async (db: TenantDb, customerId: CustomerId, type: string) => {
  const [page] = await db
    .select({
      type: pages.type,
      title: pages.title,
      body: pages.body,
      translations: pages.translations,
      updatedAt: pages.updatedAt,
    })
    .from(pages)
    .where(and(eq(pages.customerId, customerId), eq(pages.type, type)))
  return page ?? null
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
