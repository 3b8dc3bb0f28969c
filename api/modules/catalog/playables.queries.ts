import { and, asc, eq, getTableColumns, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { named, type TenantDb } from '#api/platform/db/client.ts'
import type { ProductAccess, ProductStatus } from '#contract/enumerations.ts'
import type { AttachmentId, CustomerId, ProductCode, ProductId, VideoId } from '#contract/ids.ts'
import { attachments, lessons, productOptions, products, videos } from './catalog.schema.ts'
import { firstManifest, isFreeOfCharge, isReady, ofCustomer } from './products.queries.ts'

/** A product's columns with values derived from its options and its content. */
export const productColumns = (customerId: CustomerId) => ({
  ...getTableColumns(products),
  freeOfCharge: sql<boolean>`${ofCustomer(isFreeOfCharge('products'), customerId)}`,
  ready: sql<boolean>`${ofCustomer(isReady('products'), customerId)}`,
})
export type ProductRow = typeof products.$inferSelect & { freeOfCharge: boolean; ready: boolean }
export type VideoRow = typeof videos.$inferSelect
export type LessonRow = typeof lessons.$inferSelect

/** Returns a product in any state. The caller decides what a state means. */
export const findProduct = async (db: TenantDb, customerId: CustomerId, id: ProductId): Promise<ProductRow | null> => {
  const [product] = await db
    .select(productColumns(customerId))
    .from(products)
    .where(and(eq(products.customerId, customerId), eq(products.id, id)))
    .prepare('find-product')
    .execute()
  return product ?? null
}

/** Returns a video, or null. */
export const findVideo = async (db: TenantDb, customerId: CustomerId, id: VideoId): Promise<VideoRow | null> => {
  const [video] = await db
    .select()
    .from(videos)
    .where(and(eq(videos.customerId, customerId), eq(videos.id, id)))
    .prepare('find-video')
    .execute()
  return video ?? null
}

/** The name of a video's master playlist, below its asset and its preview's. */
export const manifestOf = ({ manifest }: Pick<VideoRow, 'manifest'>): string => manifest ?? firstManifest

/** Returns a product's lessons in order, each with its video. */
export const lessonsOf = (db: TenantDb, customerId: CustomerId, productId: ProductId) =>
  db
    .select({ lesson: lessons, video: videos })
    .from(lessons)
    .innerJoin(videos, and(eq(videos.customerId, lessons.customerId), eq(videos.id, lessons.videoId)))
    .where(and(eq(lessons.customerId, customerId), eq(lessons.productId, productId)))
    .orderBy(asc(lessons.sort))
export type LessonVideo = Awaited<ReturnType<typeof lessonsOf>>[number]

/** Returns the lessons of a product in order, and keeps others from changing them meanwhile. */
export const lockLessons = (db: TenantDb, customerId: CustomerId, productId: ProductId) =>
  db
    .select()
    .from(lessons)
    .where(and(eq(lessons.customerId, customerId), eq(lessons.productId, productId)))
    .orderBy(asc(lessons.sort), asc(lessons.id))
    .for('share')

/** Returns the attachments of a product in their order. */
export const attachmentsOf = (db: TenantDb, customerId: CustomerId, productId: ProductId) =>
  db
    .select()
    .from(attachments)
    .where(and(eq(attachments.customerId, customerId), eq(attachments.productId, productId)))
    .orderBy(asc(attachments.sort), asc(attachments.id))

/** Returns an attachment of a product, or null. */
export const findAttachment = async (db: TenantDb, customerId: CustomerId, productId: ProductId, id: AttachmentId) => {
  const [row] = await db
    .select()
    .from(attachments)
    .where(and(eq(attachments.customerId, customerId), eq(attachments.productId, productId), eq(attachments.id, id)))
  return row ?? null
}

export interface ProductState {
  id: ProductId
  access: ProductAccess
  status: ProductStatus
  saleFrom: string | null
  freeOfCharge: boolean
}

/**
 * Returns the state of a product, or nothing if it does not exist or is a draft. `previewed` is a
 * product that is found in any state.
 */
export const readProductState = async (
  db: TenantDb,
  customerId: CustomerId,
  id: ProductId,
  previewed: ProductId | null = null,
) => {
  const [row] = await named<ProductState & Record<string, unknown>>(
    db,
    'product_state',
    `SELECT p.id, p.access, p.status, p.sale_from AS "saleFrom", ${isFreeOfCharge('p')} AS "freeOfCharge" FROM products p
      WHERE p.customer_id = $1 AND p.id = $2 AND (p.status <> 'DRAFT' OR p.id = $3::uuid)`,
    [customerId, id, previewed],
  )
  return row ?? null
}

/** Returns which of some products were ordered, and which others members have a right to. */
export const productsOfBuyers = async (db: TenantDb, customerId: CustomerId, ids: readonly ProductId[]) => {
  if (ids.length === 0) return new Map<ProductId, 'ORDERED' | 'GRANTED'>()
  const { rows } = await db.$client.query<{ id: ProductId; use: 'ORDERED' | 'GRANTED' }>(
    `SELECT product_id AS id, max(use) AS use
       FROM (SELECT product_id, 'ORDERED' AS use FROM order_items WHERE customer_id = $1 AND product_id = ANY($2::uuid[])
              UNION SELECT product_id, 'GRANTED' FROM entitlements WHERE customer_id = $1 AND product_id = ANY($2::uuid[])) AS uses
      GROUP BY product_id`,
    [customerId, ids],
  )
  return new Map(rows.map(({ id, use }) => [id, use]))
}

/**
 * SQL: the price of an option at a time, which is a parameter. Options are changed at their times
 * by the worker; this is the price before it does.
 */
export const priceAt = (option: string, time: string) => `coalesce((
  SELECT (change->>'priceAmount')::bigint FROM jsonb_array_elements(${option}.price_changes) AS change
   WHERE (change->>'at')::timestamptz <= ${time}
   ORDER BY (change->>'at')::timestamptz DESC LIMIT 1), ${option}.price_amount)`

/** Returns which of some products are free at a time. See `isFreeOfCharge`. */
export const freeProductsAt = async (
  db: TenantDb,
  customerId: CustomerId,
  ids: readonly ProductId[],
  time: Date,
): Promise<Set<ProductId>> => {
  const rows = await named<{ id: ProductId }>(
    db,
    'free_products_at',
    `SELECT p.id FROM products p WHERE p.customer_id = $1 AND p.id = ANY($2::uuid[])
        AND (p.kind = 'FREE' OR p.access IN ('FREE', 'MEMBER') OR (p.access = 'PURCHASE' AND 0 = (
          SELECT max(${priceAt('o', '$3::timestamptz')}) FROM product_options o
           WHERE o.customer_id = $1 AND o.product_id = p.id AND o.on_sale)))`,
    [customerId, ids, time.toISOString()],
  )
  return new Set(rows.map(({ id }) => id))
}

const optionsOf = (db: TenantDb, customerId: CustomerId, productId: ProductId) =>
  db
    .select()
    .from(productOptions)
    .where(and(eq(productOptions.customerId, customerId), eq(productOptions.productId, productId)))
    .orderBy(asc(productOptions.sort), asc(productOptions.id))

/**
 * Returns a product in any state with all its options; null without one. `lock` keeps others from
 * changing it until the transaction ends.
 */
export const readStoredProduct = async (
  db: TenantDb,
  customerId: CustomerId,
  code: ProductCode,
  { lock = false } = {},
) => {
  const query = db
    .select(productColumns(customerId))
    .from(products)
    .where(and(eq(products.customerId, customerId), eq(products.code, code)))
  const [product] = await (lock ? query.for('no key update') : query)
  return product ? { product, options: await optionsOf(db, customerId, product.id) } : null
}
export type StoredProduct = NonNullable<Awaited<ReturnType<typeof readStoredProduct>>>
export type OptionRow = typeof productOptions.$inferSelect

/** The options on sale of products in any state. */
export const readOptions = (db: TenantDb, customerId: CustomerId, productIds: readonly ProductId[]) =>
  db
    .select()
    .from(productOptions)
    .where(
      and(
        eq(productOptions.customerId, customerId),
        inArray(productOptions.productId, [...productIds]),
        eq(productOptions.onSale, true),
      ),
    )
    .orderBy(asc(productOptions.sort), asc(productOptions.id))

/**
 * Options on sale of products that are on sale now and have content, by product and then in the
 * store's order. `previewed` is a product in any state.
 */
export const readOptionsOnSale = async (
  db: TenantDb,
  customerId: CustomerId,
  productIds: readonly ProductId[],
  { withFree, now, previewed }: { withFree: boolean; now: Date; previewed: ProductId | null },
): Promise<OptionRow[]> => {
  const rows = await db
    .select({ option: productOptions })
    .from(productOptions)
    .innerJoin(
      products,
      and(eq(products.customerId, productOptions.customerId), eq(products.id, productOptions.productId)),
    )
    .where(
      and(
        eq(productOptions.customerId, customerId),
        inArray(productOptions.productId, [...productIds]),
        eq(productOptions.onSale, true),
        or(
          and(
            eq(products.status, 'ON_SALE'),
            or(isNull(products.saleFrom), lte(products.saleFrom, now.toISOString())),
            or(isNull(products.saleTo), gt(products.saleTo, now.toISOString())),
          ),
          previewed === null ? undefined : eq(products.id, previewed),
        ),
        ofCustomer(isReady('products'), customerId),
        withFree ? undefined : gt(productOptions.priceAmount, 0),
      ),
    )
    .orderBy(asc(productOptions.productId), asc(productOptions.sort), asc(productOptions.priceAmount))
  return rows.map(({ option }) => option)
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

/** Returns the codes of those products that are ON_SALE and have no content. */
export const codesNotReady = async (
  db: TenantDb,
  customerId: CustomerId,
  ids: readonly ProductId[],
): Promise<ProductCode[]> => {
  const { rows } = await db.$client.query<{ code: ProductCode }>(
    `SELECT p.code FROM products p
      WHERE p.customer_id = $1 AND p.id = ANY($2::uuid[]) AND p.status = 'ON_SALE' AND NOT ${isReady('p')}
      ORDER BY p.code`,
    [customerId, ids],
  )
  return rows.map(({ code }) => code)
}
