import { and, asc, eq, inArray, lte, notExists, notInArray, sql } from 'drizzle-orm'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { KeysetPosition } from '#api/platform/platform.queries.ts'
import type { ProductKind, ProductLack, ProductSort, SaleState } from '#contract/enumerations.ts'
import type { AttachmentId, CategoryId, CustomerId, LessonId, OptionId, ProductCode, ProductId } from '#contract/ids.ts'
import { attachments, lessons, priceOr, productOptions, products, videos } from './catalog.schema.ts'
import { hasParts, isReady } from './products.queries.ts'

type Listed = 'id' | 'code' | 'title' | 'kind' | 'access' | 'status' | 'saleFrom' | 'saleTo' | 'tags' | 'createdAt'

export interface ProductPageRow extends Pick<typeof products.$inferSelect, Listed | 'priceAmount' | 'currency'> {
  keyset: KeysetPosition
  state: SaleState
  ready: boolean
  poster: string
}

export interface ProductPageFilter {
  state: SaleState | null
  /** Decides what is on sale. */
  now: Date
  kind: ProductKind | null
  /** With those below it. */
  category: CategoryId | null
  tag: string | null
  lack: ProductLack | null
  /** A part of a code, or of a title in any language, in lower case; empty for all. */
  search: string
  /** Null for any code. */
  codes: readonly ProductCode[] | null
  sort: ProductSort
  after: KeysetPosition | null
  size: number
}

/** SQL: a product's status at a time, with its sale period. `now` is a placeholder. */
const saleStateAt = (now: string) => `CASE WHEN p.status <> 'ON_SALE' THEN p.status
  WHEN p.sale_to <= ${now} THEN 'ENDED' WHEN p.sale_from > ${now} THEN 'SCHEDULED' ELSE 'ON_SALE' END`

/** SQL: whether that is the status, in conditions that indexes know. */
const isInState = (state: SaleState, now: string) => {
  if (state === 'DRAFT' || state === 'HIDDEN') return `p.status = '${state}'`
  if (state === 'ENDED') return `(p.status = 'ENDED' OR p.status = 'ON_SALE' AND p.sale_to <= ${now})`
  const begins = state === 'SCHEDULED' ? `p.sale_from > ${now}` : `(p.sale_from > ${now}) IS NOT TRUE`
  return `p.status = 'ON_SALE' AND ${begins} AND (p.sale_to <= ${now}) IS NOT TRUE`
}

/** What `products.lacks` has for each lack. A product without a video may have other content. */
const lackBits = { POSTER: 1, PRICE: 2, CATEGORY: 4, DESCRIPTION: 8, CONTENT: 16 } as const satisfies Record<
  ProductLack,
  number
>

/** All values with a bit: PostgreSQL knows how many products have each. */
const lacksWith = (bit: number) => Array.from({ length: 32 }, (_, lacks) => lacks).filter((lacks) => lacks & bit)

/** SQL: without a price, later than any with one in both orders. */
const [low, high] = [priceOr(9999999999999, 'p.price_amount'), priceOr(-1, 'p.price_amount')]
const byTime = { at: 'p.created_at', type: 'timestamptz' }

/** The orders of the list, each with its key, which has an index, and what positions have of it. */
const productSorts = {
  NEWEST: { ...byTime, key: byTime.at, sign: '<', direction: 'DESC NULLS LAST' },
  OLDEST: { ...byTime, key: byTime.at, sign: '>', direction: 'NULLS FIRST' },
  TITLE: { at: 'p.title_sort', type: 'text', key: 'p.title_sort', sign: '>', direction: '' },
  PRICE_LOW: { at: low, type: 'bigint', key: low, sign: '>', direction: '' },
  // Positions are numbers from 0.
  PRICE_HIGH: { at: `1 + ${high}`, type: 'bigint - 1', key: high, sign: '<', direction: 'DESC' },
} as const satisfies Record<ProductSort, object>

const quoted = (lexeme: string) => `'${lexeme.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`

/**
 * One more product than the page has, in any state. In the order of time, the indexes of filters
 * and of words have all that is looked for; where both are given, each is read by itself. In other
 * orders, products are looked at in their order. Where too few of these fit, all that do are found
 * and then sorted, which takes a part of the time of looking at all in their order.
 */
export const readProductPage = async (db: TenantDb, customerId: CustomerId, filter: ProductPageFilter) => {
  const { state, now, kind, category, tag, lack, search, codes, sort, after, size } = filter
  const values: unknown[] = [customerId]
  const param = (value: unknown) => `$${values.push(value)}`
  const time = `${param(now.toISOString())}::timestamptz`
  const { at, type, key, sign, direction } = productSorts[sort]
  const orderBy = (column: string) => `ORDER BY ${column} ${direction}, p.id ${direction}`
  const keys = [category, tag].filter((each) => each !== null)
  // Few products have more than the index takes.
  const hasKeys =
    () => `(p.filter_keys @@ ${param(keys.map(quoted).join(' & '))}::tsquery OR p.filter_keys IS NULL AND EXISTS (
    SELECT FROM products f WHERE f.customer_id = $1 AND f.id = p.id AND f.tags || f.category_ids::text[] @> ${param(keys)}::text[]))`
  const all = (conditions: (string | false | null | undefined)[]) => conditions.filter(Boolean).join(' AND ')
  const from = all([
    'p.customer_id = $1',
    after && `(${key}, p.id) ${sign} (${param(after.at)}::${type}, ${param(after.id)}::uuid)`,
    codes && `p.code = ANY(${param(codes)}::text[])`,
  ])
  const filters = all([
    kind && `p.kind = ${param(kind)}`,
    keys.length > 0 && hasKeys(),
    lack && `p.lacks = ANY('{${lacksWith(lackBits[lack])}}')`,
    lack === 'CONTENT' && `NOT ${hasParts('p')}`,
  ])
  const inState = state && isInState(state, time)
  const words = search && `strpos(p.search_text, ${param(search)}) > 0`
  const idsWithText = `SELECT p.id FROM products p WHERE p.customer_id = $1 AND ${words}`
  const looked = all([filters, inState, words])
  const found = all([filters, inState, words && `p.id = ANY (ARRAY(${idsWithText}))`])
  const indexed = all([from, filters, inState, words && (filters ? `(p.id IN (${idsWithText})) IS TRUE` : words)])
  const limit = param(size + 1)
  const page =
    codes || byTime.at === key || !looked
      ? `page AS (SELECT p.id FROM products p WHERE ${indexed} ${orderBy(key)} LIMIT ${limit})`
      : `looked AS MATERIALIZED (
         SELECT p.id FROM (
           SELECT p.*, ${key} AS key FROM products p WHERE ${from} ${orderBy(key)} LIMIT ${param(Math.min(60 * (size + 1), 8_000))}) p
          WHERE ${looked} ${orderBy('p.key')} LIMIT ${limit}),
       found AS MATERIALIZED (
         SELECT p.id, ${key} AS key FROM products p WHERE (SELECT count(*) FROM looked) < ${limit} AND ${from} AND ${found}),
       page AS (
         SELECT l.id FROM looked l WHERE (SELECT count(*) FROM looked) = ${limit}
         UNION ALL (SELECT p.id FROM found p ${orderBy('p.key')} LIMIT ${limit}))`
  const { rows } = await db.$client.query<ProductPageRow>(
    `WITH ${page}
     SELECT jsonb_build_object('at', (${at})::text, 'id', p.id) AS keyset, p.id, p.code, p.title, p.kind, p.access,
            p.status, ${saleStateAt(time)} AS state, p.sale_from AS "saleFrom", p.sale_to AS "saleTo", p.price_amount AS "priceAmount", p.currency, ${isReady('p')} AS ready,
            coalesce(p.poster #>> '{sources,0,url}', p.poster ->> 'url') AS poster, p.tags, p.created_at AS "createdAt"
       FROM products p WHERE p.customer_id = $1 AND p.id = ANY (ARRAY(SELECT id FROM page))
      ${orderBy(key)}`,
    values,
  )
  return rows
}

/** Returns the id of the inserted product; null if another one has its code. */
export const insertProduct = async (db: TenantDb, product: typeof products.$inferInsert): Promise<ProductId | null> => {
  const [row] = await db.insert(products).values(product).onConflictDoNothing().returning({ id: products.id })
  return row?.id ?? null
}

/** Changes fields of a product. `deriveProducts` updates what follows from them. */
export const updateProduct = async (
  db: TenantDb,
  customerId: CustomerId,
  id: ProductId,
  fields: Partial<typeof products.$inferInsert>,
) => {
  await db
    .update(products)
    .set(fields)
    .where(and(eq(products.customerId, customerId), eq(products.id, id)))
}

/** Inserts options, or replaces what operators write of those that exist. */
export const saveOptions = async (db: TenantDb, rows: (typeof productOptions.$inferInsert)[]) => {
  if (rows.length === 0) return
  await db
    .insert(productOptions)
    .values(rows)
    .onConflictDoUpdate({
      target: [productOptions.customerId, productOptions.id],
      set: {
        name: sql`excluded.name`,
        type: sql`excluded.type`,
        days: sql`excluded.days`,
        startWithinDays: sql`excluded.start_within_days`,
        priceAmount: sql`excluded.price_amount`,
        listPriceAmount: sql`excluded.list_price_amount`,
        sort: sql`excluded.sort`,
        onSale: sql`excluded.on_sale`,
        priceChanges: sql`excluded.price_changes`,
        nextPriceAt: sql`excluded.next_price_at`,
        translations: sql`excluded.translations`,
      },
    })
}

/** Deletes options that nothing refers to. */
export const deleteOptions = async (db: TenantDb, customerId: CustomerId, ids: readonly OptionId[]) =>
  ids.length > 0 &&
  db.delete(productOptions).where(and(eq(productOptions.customerId, customerId), inArray(productOptions.id, [...ids])))

/** Returns the codes of the products with a scheduled price at or before a time. */
export const productsWithDuePrices = async (
  db: TenantDb,
  customerId: CustomerId,
  now: Date,
): Promise<readonly ProductCode[]> => {
  const rows = await db
    .selectDistinct({ code: products.code })
    .from(productOptions)
    .innerJoin(
      products,
      and(eq(products.customerId, productOptions.customerId), eq(products.id, productOptions.productId)),
    )
    .where(and(eq(productOptions.customerId, customerId), lte(productOptions.nextPriceAt, now.toISOString())))
  return rows.map(({ code }) => code)
}

/** The lessons of a product in their order, those without a video too. */
export const allLessonsOf = (db: TenantDb, customerId: CustomerId, productId: ProductId) =>
  db
    .select({ lesson: lessons, seconds: videos.durationSeconds })
    .from(lessons)
    .leftJoin(videos, and(eq(videos.customerId, lessons.customerId), eq(videos.id, lessons.videoId)))
    .where(and(eq(lessons.customerId, customerId), eq(lessons.productId, productId)))
    .orderBy(asc(lessons.sort), asc(lessons.id))
export type StoredLesson = Awaited<ReturnType<typeof allLessonsOf>>[number]

/** Inserts lessons, or replaces what operators write of those that exist. */
export const saveLessons = async (db: TenantDb, rows: (typeof lessons.$inferInsert)[]) => {
  if (rows.length === 0) return
  await db
    .insert(lessons)
    .values(rows)
    .onConflictDoUpdate({
      target: [lessons.customerId, lessons.id],
      set: {
        sort: sql`excluded.sort`,
        title: sql`excluded.title`,
        summary: sql`excluded.summary`,
        free: sql`excluded.free`,
        translations: sql`excluded.translations`,
      },
    })
}

/**
 * Deletes lessons. A video that nothing else shows is retired: current viewers watch it to the end,
 * and its files are deleted later.
 */
export const deleteLessons = async (db: TenantDb, customerId: CustomerId, ids: readonly LessonId[], now: Date) => {
  if (ids.length === 0) return
  const removed = await db
    .delete(lessons)
    .where(and(eq(lessons.customerId, customerId), inArray(lessons.id, [...ids])))
    .returning({ id: lessons.id, videoId: lessons.videoId })
  const usedBy = (table: typeof products | typeof lessons) =>
    db
      .select({ one: sql`1` })
      .from(table)
      .where(and(eq(table.customerId, customerId), eq(table.videoId, videos.id)))
  for (const { id, videoId } of removed)
    if (videoId)
      await db
        .update(videos)
        .set({ retiredAt: now.toISOString(), retiredFrom: id })
        .where(
          and(
            eq(videos.customerId, customerId),
            eq(videos.id, videoId),
            notExists(usedBy(products)),
            notExists(usedBy(lessons)),
          ),
        )
}

/** Adds a file to a product. Returns whether its id was free. */
export const insertAttachment = async (db: TenantDb, row: typeof attachments.$inferInsert): Promise<boolean> =>
  (await db.insert(attachments).values(row).onConflictDoNothing().returning({ id: attachments.id })).length > 0

/** Changes the texts and the place of a file. */
export const updateAttachment = async (
  db: TenantDb,
  customerId: CustomerId,
  id: AttachmentId,
  fields: Pick<typeof attachments.$inferInsert, 'name' | 'confirmationText' | 'translations' | 'sort'>,
) => {
  await db
    .update(attachments)
    .set(fields)
    .where(and(eq(attachments.customerId, customerId), eq(attachments.id, id)))
}

/** Deletes the files of a product except the given ones. */
export const deleteOtherAttachments = async (
  db: TenantDb,
  customerId: CustomerId,
  productId: ProductId,
  remaining: readonly AttachmentId[],
) => {
  await db
    .delete(attachments)
    .where(
      and(
        eq(attachments.customerId, customerId),
        eq(attachments.productId, productId),
        notInArray(attachments.id, [...remaining]),
      ),
    )
}

/** Deletes a product with its options and files. Its lessons must be deleted before. */
export const deleteProductRow = async (db: TenantDb, customerId: CustomerId, id: ProductId) => {
  for (const table of [productOptions, attachments])
    await db.delete(table).where(and(eq(table.customerId, customerId), eq(table.productId, id)))
  await db.delete(products).where(and(eq(products.customerId, customerId), eq(products.id, id)))
}
