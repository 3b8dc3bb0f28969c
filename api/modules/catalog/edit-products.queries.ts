import { and, asc, eq, inArray, lte, notExists, notInArray, sql } from 'drizzle-orm'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { KeysetPosition } from '#api/platform/platform.queries.ts'
import type { ProductAccess, ProductKind, ProductStatus, SaleState } from '#contract/enumerations.ts'
import type { AttachmentId, CustomerId, LessonId, OptionId, ProductCode, ProductId } from '#contract/ids.ts'
import { attachments, lessons, productOptions, products, videos } from './catalog.schema.ts'
import { isReady } from './products.queries.ts'

export interface ProductPageRow {
  keyset: KeysetPosition
  id: ProductId
  code: ProductCode
  title: string
  kind: ProductKind
  access: ProductAccess
  status: ProductStatus
  state: SaleState
  saleFrom: string | null
  saleTo: string | null
  priceAmount: number | null
  currency: string
  ready: boolean
  poster: string
  createdAt: string
}

interface ProductPageFilter {
  state: SaleState | null
  /** Decides what is on sale. */
  now: Date
  /** A part of a code, or of a title in any language, in lower case; empty for all. */
  search: string
  /** Null for any code. */
  codes: readonly ProductCode[] | null
  after: KeysetPosition | null
  size: number
}

/** SQL: a product's status at a time, with its sale period. `now` is a placeholder. */
const saleStateAt = (now: string) => `CASE WHEN p.status <> 'ON_SALE' THEN p.status
  WHEN p.sale_to <= ${now} THEN 'ENDED' WHEN p.sale_from > ${now} THEN 'SCHEDULED' ELSE 'ON_SALE' END`

/**
 * One more product than the page has, in any state, latest first. A search reads one index: reading
 * each product would take several times as long.
 */
export const readProductPage = async (db: TenantDb, customerId: CustomerId, filter: ProductPageFilter) => {
  const { state, now, search, codes, after, size } = filter
  const values: unknown[] = [customerId]
  const param = (value: unknown) => `$${values.push(value)}`
  const time = `${param(now.toISOString())}::timestamptz`
  const text = search === '' ? '' : param(search)
  const conditions = [
    'p.customer_id = $1',
    text && `strpos(p.search_text, ${text}) > 0`,
    state && `${saleStateAt(time)} = ${param(state)}`,
    codes && `p.code = ANY(${param(codes)}::text[])`,
    after && `(p.created_at, p.id) < (${param(after.at)}::timestamptz, ${param(after.id)}::uuid)`,
  ].filter(Boolean)
  const { rows } = await db.$client.query<ProductPageRow>(
    `WITH page AS (
       SELECT p.id FROM products p WHERE ${conditions.join(' AND ')}
        ORDER BY p.created_at DESC NULLS LAST, p.id DESC NULLS LAST LIMIT ${param(size + 1)})
     SELECT jsonb_build_object('at', p.created_at::text, 'id', p.id) AS keyset, p.id, p.code, p.title, p.kind, p.access,
            p.status, ${saleStateAt(time)} AS state, p.sale_from AS "saleFrom", p.sale_to AS "saleTo", p.price_amount AS "priceAmount", p.currency, ${isReady('p')} AS ready,
            coalesce(p.poster #>> '{sources,0,url}', p.poster ->> 'url') AS poster, p.created_at AS "createdAt"
       FROM products p WHERE p.customer_id = $1 AND p.id = ANY (ARRAY(SELECT id FROM page))
      ORDER BY p.created_at DESC, p.id DESC`,
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

/** Adds a file to a product. */
export const insertAttachment = async (db: TenantDb, row: typeof attachments.$inferInsert) => {
  await db.insert(attachments).values(row)
}

/** Changes the name, the text to accept and the place of a file. */
export const updateAttachment = async (
  db: TenantDb,
  customerId: CustomerId,
  id: AttachmentId,
  fields: Pick<typeof attachments.$inferInsert, 'name' | 'confirmationText' | 'sort'>,
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

/**
 * The different prices on sale of products in a currency, and how many of the products have one.
 */
export const readPricesOnSale = async (
  db: TenantDb,
  customerId: CustomerId,
  { codes, currency }: { codes: readonly ProductCode[]; currency: string },
) => {
  const from = `FROM product_options o JOIN products p ON p.customer_id = $1 AND p.id = o.product_id
      WHERE o.customer_id = $1 AND p.code = ANY($2) AND o.on_sale AND o.currency = $3 AND o.price_amount > 0`
  const { rows: prices } = await db.$client.query<
    Pick<typeof productOptions.$inferSelect, 'priceAmount' | 'listPriceAmount' | 'priceChanges'>
  >(
    `SELECT DISTINCT o.price_amount AS "priceAmount", o.list_price_amount AS "listPriceAmount", o.price_changes AS "priceChanges" ${from}`,
    [customerId, codes, currency],
  )
  const { rows } = await db.$client.query<{ priced: number }>(
    `SELECT count(DISTINCT o.product_id)::int AS priced ${from}`,
    [customerId, codes, currency],
  )
  return { prices, priced: rows[0]?.priced ?? 0 }
}

/**
 * Locks a product and its options against all that refers to them, such as an order that is being
 * placed. Returns its id; undefined without one.
 */
export const lockWholeProduct = async (db: TenantDb, customerId: CustomerId, code: ProductCode) => {
  const [product] = await db
    .select({ id: products.id })
    .from(products)
    .where(and(eq(products.customerId, customerId), eq(products.code, code)))
    .for('update')
  if (!product) return undefined
  await db
    .select({ id: productOptions.id })
    .from(productOptions)
    .where(and(eq(productOptions.customerId, customerId), eq(productOptions.productId, product.id)))
    .for('update')
  return product.id
}

/** Deletes a product with its options and files. Its lessons must be deleted before. */
export const deleteProductRow = async (db: TenantDb, customerId: CustomerId, id: ProductId) => {
  for (const table of [productOptions, attachments])
    await db.delete(table).where(and(eq(table.customerId, customerId), eq(table.productId, id)))
  await db.delete(products).where(and(eq(products.customerId, customerId), eq(products.id, id)))
}

/** Returns the id of the product with a code; undefined without one. */
export const findProductIdByCode = async (db: TenantDb, customerId: CustomerId, code: ProductCode) => {
  const [product] = await db
    .select({ id: products.id })
    .from(products)
    .where(and(eq(products.customerId, customerId), eq(products.code, code)))
  return product?.id
}

/** Product codes that begin with the same letter as `code`, in lower or upper case. */
export const listCodesLike = async (db: TenantDb, customerId: CustomerId, code: string, limit: number) => {
  const { rows } = await db.$client.query<{ code: ProductCode }>(
    'SELECT code FROM products WHERE customer_id = $1 AND left(lower(code), 1) = left($2, 1) ORDER BY code LIMIT $3',
    [customerId, code.toLowerCase(), limit],
  )
  return rows.map((row) => row.code)
}
