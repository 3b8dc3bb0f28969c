import { and, asc, eq, inArray, lte, notExists, notInArray, sql } from 'drizzle-orm'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { KeysetPosition } from '#api/platform/platform.queries.ts'
import type {
  ProductAccess,
  ProductKind,
  ProductLack,
  ProductSort,
  ProductStatus,
  SaleState,
} from '#contract/enumerations.ts'
import type { AttachmentId, CategoryId, CustomerId, LessonId, OptionId, ProductCode, ProductId } from '#contract/ids.ts'
import { attachments, lessons, productOptions, products, videos } from './catalog.schema.ts'
import { hasParts, isReady } from './products.queries.ts'

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
  tags: string[]
  createdAt: string
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

/** What `products.lacks` has for each lack. A product without a video may have other content. */
const lackBits = { POSTER: 1, PRICE: 2, CATEGORY: 4, DESCRIPTION: 8, CONTENT: 16 } as const satisfies Record<
  ProductLack,
  number
>

/** SQL: without a price, later than any with one in both orders. Positions are numbers from 0. */
const cheapest = 'coalesce(p.price_amount, 9999999999999)'
const dearest = 'coalesce(p.price_amount + 1, 0)'
const byTime = { at: 'p.created_at', type: 'timestamptz' }

/** The orders of the list, each with the key that the position before a page has. */
const productSorts = {
  NEWEST: { ...byTime, key: byTime.at, sign: '<', order: 'p.created_at DESC NULLS LAST, p.id DESC NULLS LAST' },
  OLDEST: { ...byTime, key: byTime.at, sign: '>', order: 'p.created_at, p.id' },
  TITLE: { at: 'p.title_sort', type: 'text', key: 'p.title_sort', sign: '>', order: 'p.title_sort, p.id' },
  PRICE_LOW: { at: cheapest, type: 'bigint', key: cheapest, sign: '>', order: `${cheapest}, p.id` },
  PRICE_HIGH: { at: dearest, type: 'bigint', key: dearest, sign: '<', order: `${dearest} DESC, p.id DESC` },
} as const satisfies Record<ProductSort, object>

const quoted = (lexeme: string) => `'${lexeme.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`

/**
 * One more product than the page has, in any state. Filters read one index, as do words: reading
 * each product would take several times as long. Where both are given, each reads its own:
 * without `IS TRUE` PostgreSQL would join them to one reading of the products.
 */
export const readProductPage = async (db: TenantDb, customerId: CustomerId, filter: ProductPageFilter) => {
  const { state, now, kind, category, tag, lack, search, codes, sort, after, size } = filter
  const values: unknown[] = [customerId]
  const param = (value: unknown) => `$${values.push(value)}`
  const time = `${param(now.toISOString())}::timestamptz`
  const { at, type, key, sign, order } = productSorts[sort]
  const hasText = (product: string) => `strpos(${product}.search_text, ${param(search)}) > 0`
  const isPlain = kind === null && category === null && tag === null && lack === null && byTime.at === key
  const words = () =>
    isPlain
      ? hasText('p')
      : `(p.id IN (SELECT s.id FROM products s WHERE s.customer_id = $1 AND ${hasText('s')})) IS TRUE`
  const keys = [category, tag].filter((each) => each !== null)
  // Few products have more than the index takes.
  const hasKeys =
    () => `(p.filter_keys @@ ${param(keys.map(quoted).join(' & '))}::tsquery OR p.filter_keys IS NULL AND EXISTS (
    SELECT FROM products f WHERE f.customer_id = $1 AND f.id = p.id AND f.tags || f.category_ids::text[] @> ${param(keys)}::text[]))`
  const isAfter = ({ at: last, id }: KeysetPosition) =>
    `(${key}, p.id) ${sign} (${param(last)}::${type}, ${param(id)}::uuid)`
  const conditions = [
    'p.customer_id = $1',
    search && words(),
    state && `${saleStateAt(time)} = ${param(state)}`,
    kind && `p.kind = ${param(kind)}`,
    keys.length > 0 && hasKeys(),
    lack && `p.lacks & ${lackBits[lack]} > 0`,
    lack === 'CONTENT' && `NOT ${hasParts('p')}`,
    codes && `p.code = ANY(${param(codes)}::text[])`,
    after && isAfter(after),
  ].filter(Boolean)
  const { rows } = await db.$client.query<ProductPageRow>(
    `WITH page AS (
       SELECT p.id FROM products p WHERE ${conditions.join(' AND ')}
        ORDER BY ${order} LIMIT ${param(size + 1)})
     SELECT jsonb_build_object('at', (${at})::text, 'id', p.id) AS keyset, p.id, p.code, p.title, p.kind, p.access,
            p.status, ${saleStateAt(time)} AS state, p.sale_from AS "saleFrom", p.sale_to AS "saleTo", p.price_amount AS "priceAmount", p.currency, ${isReady('p')} AS ready,
            coalesce(p.poster #>> '{sources,0,url}', p.poster ->> 'url') AS poster, p.tags, p.created_at AS "createdAt"
       FROM products p WHERE p.customer_id = $1 AND p.id = ANY (ARRAY(SELECT id FROM page))
      ORDER BY ${order}`,
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
