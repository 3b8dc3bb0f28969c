import { getTableColumns, sql } from 'drizzle-orm'
import { named, type TenantDb } from '#api/platform/db/client.ts'
import { type ProductCard, productCard } from '#contract/catalog.ts'
import type { Locale, ProductAccess, ProductStatus } from '#contract/enumerations.ts'
import type { CustomerId, ProductCode, ProductId } from '#contract/ids.ts'
import type { Translation } from '#contract/translations.ts'
import { products } from './catalog.schema.ts'

/** The name of a video's master playlist until its captions are edited. */
export const firstManifest = 'master.m3u8'

/**
 * SQL: whether a product is free. It is of the kind FREE, open to everybody or to every member, or
 * all its options on sale cost nothing. A store without free products (`order.useFree` off) neither
 * lists nor shows it. `$1` is the customer.
 */
export const isFreeOfCharge = (product: string) => `(${product}.kind = 'FREE' OR ${product}.access IN ('FREE', 'MEMBER')
  OR (${product}.access = 'PURCHASE' AND ${product}.price_amount = 0 AND NOT EXISTS (
    SELECT FROM product_options o WHERE o.customer_id = $1 AND o.product_id = ${product}.id
       AND o.on_sale AND o.price_amount > 0)))`

/**
 * SQL: whether a product has content: a stream, a lesson with a stream, or a file. A product
 * without content is neither listed nor sold. `$1` is the customer.
 */
export const isReady = (product: string) => `(${product}.video_id IS NOT NULL OR ${hasParts(product)})`

/** SQL: whether a product has a lesson with a stream, or a file. `$1` is the customer. */
export const hasParts = (product: string) => `(
  EXISTS (SELECT FROM lessons l WHERE l.customer_id = $1 AND l.product_id = ${product}.id AND l.video_id IS NOT NULL)
  OR EXISTS (SELECT FROM attachments a WHERE a.customer_id = $1 AND a.product_id = ${product}.id))`

/** A condition whose `$1`, `$2` and so on are values, for a query builder. */
export const withValues = (condition: string, values: readonly string[]) =>
  sql.join(
    condition.split(/(\$\d)/).map((part) => {
      const value = /^\$\d$/.test(part) ? values[Number(part.slice(1)) - 1] : undefined
      return value === undefined ? sql.raw(part) : sql`${value}`
    }),
  )

/** A condition whose `$1` is the customer, for a query builder. */
export const ofCustomer = (condition: string, customerId: CustomerId) => withValues(condition, [customerId])

const columns = getTableColumns(products)
type ProductColumns = typeof products.$inferSelect

/** A field of a card that is a column of the product under the same name. */
type CardField = keyof ProductCard & keyof ProductColumns

/** The fields of a card that are read as they are. The others are computed. */
export const cardFields = Object.keys(productCard.shape).filter((field): field is CardField => field in columns)

/** The columns from which the other fields of a card are computed. */
const computedFrom = ['status', 'saleFrom', 'priceAmount', 'listPriceAmount', 'currency'] as const

/** The data of a product in a list: one row per card, without joins. */
export interface ProductCardRow extends Pick<ProductColumns, CardField | (typeof computedFrom)[number]> {
  freeOfCharge: boolean
  ready: boolean
  /** In the reader's language, without the description. */
  translation: Translation | null
}

/** SQL for columns under the names of the schema's fields. */
const columnsAs = (alias: string, fields: readonly (keyof ProductColumns)[]) =>
  fields.map((field) => `${alias}.${columns[field].name} AS "${field}"`).join(', ')

/**
 * A row's translation in the language of a parameter. Null for an empty parameter, which means the
 * store's language; the column is not read then.
 */
export const translationColumn = (alias: string, parameter: string) =>
  `CASE WHEN ${parameter}::text = '' THEN NULL ELSE ${alias}.translations -> ${parameter}::text END`

/** SQL for the languages into which a product's title is translated. */
const translatedLocales = (product: string) =>
  `ARRAY(SELECT t.locale FROM jsonb_each(${product}.translations) AS t (locale, texts) WHERE t.texts ->> 'title' <> '')`

/**
 * SQL for `ProductCardRow`. `language` is the parameter with the language of the translation. Empty
 * means the store's own.
 */
export const cardColumns = (alias: string, language: string) => `${columnsAs(alias, [...cardFields, ...computedFrom])},
  ${isFreeOfCharge(alias)} AS "freeOfCharge", ${isReady(alias)} AS ready,
  (${translationColumn(alias, language)}) - '{description,chapters}'::text[] AS translation`

/**
 * Returns cards by id in any state except drafts, because owned products remain visible after they
 * leave sale.
 */
export const cardsById = (
  db: TenantDb,
  customerId: CustomerId,
  ids: readonly ProductId[],
  language: Locale | null,
): Promise<ProductCardRow[]> =>
  named<ProductCardRow & Record<string, unknown>>(
    db,
    'cards_by_id',
    `SELECT ${cardColumns('p', '$3')} FROM products p
      WHERE p.customer_id = $1 AND p.id = ANY($2::uuid[]) AND p.status <> 'DRAFT'`,
    [customerId, ids, language ?? ''],
  )

/** The data that access rights and viewer state need of a product. */
export interface SubjectRow {
  id: ProductId
  access: ProductAccess
  status: ProductStatus
  saleFrom: string | null
  freeOfCharge: boolean
  lessonCount: number
}

/**
 * SQL: products without texts and images. `$1` is the customer, `products` the placeholder of their
 * ids.
 */
export const subjects = (products: string) => `
  SELECT p.id, p.access, p.status, p.sale_from AS "saleFrom", ${isFreeOfCharge('p')} AS "freeOfCharge", p.lesson_count AS "lessonCount" FROM products p
   WHERE p.customer_id = $1 AND p.id = ANY(${products}::uuid[]) AND p.status <> 'DRAFT'`

type PaidPrice = Pick<ProductCardRow, 'id' | 'priceAmount' | 'listPriceAmount' | 'priceType' | 'optionCount'>

/** Returns which of the given products have content. */
export const readyProducts = async (
  db: TenantDb,
  customerId: CustomerId,
  ids: readonly ProductId[],
): Promise<Set<ProductId>> => {
  const rows = await named<{ id: ProductId }>(
    db,
    'ready_products',
    `SELECT p.id FROM products p WHERE p.customer_id = $1 AND p.id = ANY($2::uuid[]) AND ${isReady('p')}`,
    [customerId, ids],
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * For products whose cheapest option is free: the cheapest option with a price. No row if there is
 * none.
 */
export const paidPrices = (db: TenantDb, customerId: CustomerId, ids: readonly ProductId[]): Promise<PaidPrice[]> =>
  named<PaidPrice>(
    db,
    'paid_prices',
    `SELECT DISTINCT ON (product_id) product_id AS id, price_amount AS "priceAmount",
            list_price_amount AS "listPriceAmount", type AS "priceType",
            (count(*) OVER (PARTITION BY product_id))::int AS "optionCount"
       FROM product_options
      WHERE customer_id = $1 AND product_id = ANY($2::uuid[]) AND on_sale AND price_amount > 0
      ORDER BY product_id, price_amount, sort`,
    [customerId, ids],
  )

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const pageFields = ['gallery', 'videoId', 'categoryIds', 'seoTitle', 'seoDescription'] as const

/** The data of a product page, with its card. */
export interface PageRow extends ProductCardRow, Pick<ProductColumns, (typeof pageFields)[number]> {
  /** The store's languages in which the title is available. */
  locales: Locale[]
}

/** SQL for `PageRow`. `language` is as for `cardColumns`. */
export const pageColumns = (alias: string, language: string) =>
  `${cardColumns(alias, language)}, ${columnsAs(alias, pageFields)}, ${translatedLocales(alias)} AS locales`

/** The column by which a product is requested. */
export const pageKey = (idOrCode: string): 'id' | 'code' => (uuid.test(idOrCode) ? 'id' : 'code')

/**
 * Returns a product by its id or its code, in any state except drafts. `previewed` is a product
 * that may be a draft.
 */
export const findProductPage = async (
  db: TenantDb,
  customerId: CustomerId,
  idOrCode: string,
  language: Locale | null,
  previewed: ProductId | null,
): Promise<PageRow | null> => {
  const column = pageKey(idOrCode)
  const [row] = await named<PageRow & Record<string, unknown>>(
    db,
    `product_page_by_${column}`,
    `SELECT ${pageColumns('p', '$3')} FROM products p WHERE p.customer_id = $1 AND p.${column} = $2
        AND (p.status <> 'DRAFT' OR p.id = $4::uuid)`,
    [customerId, idOrCode, language ?? '', previewed],
  )
  return row ?? null
}

/** Returns a product's long texts and the counts of its parts. */
export const findProductParts = async (
  db: TenantDb,
  customerId: CustomerId,
  id: ProductId,
  language: Locale | null,
) => {
  const [row] = await named<{ description: string; translation: Translation | null; attachmentCount: number }>(
    db,
    'product_parts',
    `SELECT description, ${translationColumn('p', '$3')} AS translation, (SELECT count(*) FROM attachments a WHERE a.customer_id = $1 AND a.product_id = $2) AS "attachmentCount"
       FROM products p WHERE customer_id = $1 AND id = $2`,
    [customerId, id, language ?? ''],
  )
  return row ?? { description: '', translation: null, attachmentCount: 0 }
}

/** Changes a product's count of likes or comments in the transaction that changes them. */
export const moveProductCount = async (
  db: TenantDb,
  customerId: CustomerId,
  id: ProductId,
  column: 'count_of_likes' | 'count_of_comments',
  by: number,
): Promise<number> => {
  const [row] = await named<{ count: number }>(
    db,
    `move-${column}`,
    `UPDATE products SET ${column} = greatest(0, ${column} + $3) WHERE customer_id = $1 AND id = $2 RETURNING ${column} AS count`,
    [customerId, id, by],
  )
  return row?.count ?? 0
}

/** Returns the ids of existing products by code. */
export const productIdsOf = async (
  db: TenantDb,
  customerId: CustomerId,
  codes: readonly string[],
): Promise<Map<string, ProductId>> => {
  const { rows } = await db.$client.query<{ id: ProductId; code: ProductCode }>(
    'SELECT id, code FROM products WHERE customer_id = $1 AND code = ANY($2::text[])',
    [customerId, codes],
  )
  return new Map(rows.map(({ id, code }) => [code, id]))
}

interface OnSaleRow {
  code: ProductCode
  created_at: string
  title: string
  summary: string
  poster: string
  /** The languages into which the title is translated. */
  locales: string[]
  /** The preview of the product's own video. */
  preview: string | null
  seconds: number | null
}

interface OfTenant {
  customerId: CustomerId
  now: Date
}

const onSale = `p.customer_id = $1 AND p.status = 'ON_SALE' AND (p.sale_from IS NULL OR p.sale_from <= $2)
  AND (p.sale_to IS NULL OR p.sale_to > $2)
  AND ${isReady('p')} AND ((SELECT (settings->'order'->>'useFree')::boolean FROM customers WHERE customer_id = $1) OR NOT ${isFreeOfCharge('p')})`

/** Returns the number of products on sale now. */
export const countOnSale = async (db: TenantDb, { customerId, now }: OfTenant): Promise<number> => {
  const { rows } = await db.$client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM products p WHERE ${onSale}`,
    [customerId, now],
  )
  return rows[0]?.count ?? 0
}

/** Ordered by creation, so that new products change only the last page. */
export const productsOnSale = async (
  db: TenantDb,
  { customerId, now }: OfTenant,
  { limit, offset }: { limit: number; offset: number },
): Promise<OnSaleRow[]> => {
  const { rows } = await db.$client.query<OnSaleRow>(
    `SELECT p.code, p.created_at, p.title, p.summary, p.poster->>'url' AS poster,
            ${translatedLocales('p')} AS locales, v.preview_asset || '/' || coalesce(v.manifest, '${firstManifest}') AS preview, v.duration_seconds AS seconds
       FROM products p LEFT JOIN videos v ON v.customer_id = $1 AND v.id = p.video_id
      WHERE ${onSale} ORDER BY p.created_at, p.id LIMIT $3 OFFSET $4`,
    [customerId, now, limit, offset],
  )
  return rows
}
