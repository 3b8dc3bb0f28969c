import { productIdsOf } from '#api/modules/catalog/products.queries.ts'
import type { Values } from '#api/modules/import-export/tables/cell-formats.ts'
import type { VideoOptions } from '#api/modules/media/media.schema.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { ProductAccess, ProductKind, ProductStatus } from '#contract/enumerations.ts'
import type { CategoryId, CustomerId, ProductCode, ProductId, VideoId, VideoJobId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'
import type { Translations } from '#contract/translations.ts'

type Row = Record<string, unknown>

/** Quotes an SQL identifier from the code. Not for user input: quotes inside are not escaped. */
export const quotedName = (text: string) => `"${text}"`

/**
 * Inserts rows, or replaces those whose primary key exists, in one statement. All rows must have
 * the same columns.
 */
export const upsertRows = async (db: TenantDb, table: string, rows: readonly Row[], key = 'id'): Promise<void> => {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first)
  const changed = columns.filter((column) => column !== 'customer_id' && column !== key)
  await db.$client.query(
    `INSERT INTO ${quotedName(table)} (${columns.map(quotedName).join(', ')})
     SELECT ${columns.map(quotedName).join(', ')} FROM jsonb_populate_recordset(NULL::${quotedName(table)}, $1::jsonb)
         ON CONFLICT (customer_id, ${quotedName(key)})
         DO UPDATE SET ${changed.map((column) => `${quotedName(column)} = excluded.${quotedName(column)}`).join(', ')}`,
    [JSON.stringify(rows)],
  )
}

/**
 * Raises the statement timeout of this transaction to half an hour, because a catalogue takes
 * longer than a request may. Nested loops are disabled: the planner has no statistics about rows
 * written in the same transaction and would join a table that it assumes to be empty row by row.
 */
export const prepareLongImport = (db: TenantDb) =>
  db.$client.query(`SET LOCAL statement_timeout = '30min'; SET LOCAL enable_nestloop = off`)

/** Allows this transaction to idle while files are read. */
export const disableIdleTimeout = (db: TenantDb) =>
  db.$client.query('SET LOCAL idle_in_transaction_session_timeout = 0')

/** Deletes rows of a table by id, or by another key. */
export const deleteRows = (
  db: TenantDb,
  customerId: CustomerId,
  table: string,
  ids: readonly string[],
  key: 'id' | 'type' | 'plan_id' = 'id',
) =>
  db.$client.query(
    `DELETE FROM ${quotedName(table)} WHERE customer_id = $1 AND ${quotedName(key)} = ANY($2::${key === 'type' ? 'text' : 'uuid'}[])`,
    [customerId, ids],
  )

/** Returns the given options or plans that other rows refer to. */
export const idsInUse = async (
  db: TenantDb,
  customerId: CustomerId,
  what: 'option_id' | 'plan_id',
  ids: readonly string[],
): Promise<Set<string>> => {
  const tables = what === 'option_id' ? ['order_items', 'cart_items'] : ['subscriptions', 'subscription_charges']
  const { rows } = await db.$client.query<{ id: string }>(
    tables
      .map((table) => `SELECT ${what} AS id FROM ${table} WHERE customer_id = $1 AND ${what} = ANY($2::uuid[])`)
      .join(' UNION '),
    [customerId, ids],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Returns the number of the tenant's rows of a table. */
export const countRows = async (db: TenantDb, customerId: CustomerId, table: string): Promise<number> => {
  const { rows } = await db.$client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${quotedName(table)} WHERE customer_id = $1`,
    [customerId],
  )
  return rows[0]?.count ?? 0
}

/** A product with the column names of the catalogue file. */
export type ProductFileRow = {
  id: ProductId
  code: string
  title: string
  kind: ProductKind
  access: ProductAccess
  status: ProductStatus
  summary: string
  description: string
  category_ids: CategoryId[]
  tags: string[]
  poster: Picture
  poster_tall: Picture | null
  gallery: Picture[]
  video: string | null
  age_rating: string
  sale_from: string | null
  sale_to: string | null
  sort: number
  seo_title: string | null
  seo_description: string | null
  translations: Translations
  created_at: string
}

/** Returns products with their video's asset, by code. */
export const readProductRows = async (
  db: TenantDb,
  customerId: CustomerId,
  { codes, after, limit }: { codes?: readonly string[]; after?: string; limit?: number },
): Promise<ProductFileRow[]> => {
  const { rows } = await db.$client.query<ProductFileRow>(
    `SELECT p.id, p.code, p.title, p.kind, p.access, p.status, p.summary, p.description, p.category_ids, p.tags, p.poster,
            p.poster_tall, p.gallery, v.asset AS video, p.age_rating, p.sale_from, p.sale_to, p.sort, p.seo_title,
            p.seo_description, p.translations, p.created_at
       FROM products p LEFT JOIN videos v ON v.customer_id = $1 AND v.id = p.video_id
      WHERE p.customer_id = $1 AND ($2::text[] IS NULL OR p.code = ANY($2)) AND ($3::text IS NULL OR p.code COLLATE "C" > $3)
      ORDER BY p.code COLLATE "C" LIMIT $4`,
    [customerId, codes ?? null, after ?? null, limit ?? null],
  )
  return rows
}

const children = {
  product_options: `c.name, c.type, c.days, c.start_within_days, c.price_amount, c.list_price_amount, c.sort, c.on_sale, c.translations, NULL AS video,
     ARRAY(SELECT concat(e->>'at', '=', e->>'priceAmount', '/' || (e->>'listPriceAmount'))
             FROM jsonb_array_elements(c.price_changes) WITH ORDINALITY AS each(e, place) ORDER BY place) AS price_changes`,
  lessons: 'c.title, c.sort, c.summary, c.free, c.translations, v.asset AS video',
  attachments: 'c.name, c.asset, c.content_type, c.bytes, c.confirmation_text, c.sort, c.translations, NULL AS video',
}
export type ChildTable = keyof typeof children
export type ChildRow = Values & { id: string; product: string }

/**
 * Returns the parts of products, by product code. Products are queried separately: in a transaction
 * that has just written thousands of them, the planner assumes that there are none and chooses a
 * nested loop.
 */
export const readChildRows = async (
  db: TenantDb,
  customerId: CustomerId,
  table: ChildTable,
  { keys, ids = [] }: { keys: readonly string[]; ids?: readonly string[] },
): Promise<ChildRow[]> => {
  type Child = Values & { id: string; product_id: ProductId; sort: number }
  const productIds = [...(await productIdsOf(db, customerId, keys)).values()]
  const video = table === 'lessons' ? 'LEFT JOIN videos v ON v.customer_id = $1 AND v.id = c.video_id' : ''
  const { rows } = await db.$client.query<Child>(
    `SELECT c.id, c.product_id, ${children[table]} FROM ${table} c ${video}
      WHERE c.customer_id = $1 AND (c.product_id = ANY($2::uuid[]) OR c.id = ANY($3::uuid[]))`,
    [customerId, productIds, ids],
  )
  const codes = await productCodesOf(db, customerId, [...new Set(rows.map(({ product_id }) => product_id))])
  const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  return rows
    .map(({ product_id, ...row }) => ({ ...row, product: codes.get(product_id) ?? '' }))
    .sort((a, b) => order(a.product, b.product) || Number(a.sort) - Number(b.sort) || order(a.id, b.id))
}

const productCodesOf = async (
  db: TenantDb,
  customerId: CustomerId,
  ids: readonly ProductId[],
): Promise<Map<ProductId, ProductCode>> => {
  const { rows } = await db.$client.query<{ id: ProductId; code: ProductCode }>(
    'SELECT id, code FROM products WHERE customer_id = $1 AND id = ANY($2::uuid[])',
    [customerId, ids],
  )
  return new Map(rows.map(({ id, code }) => [id, code]))
}

/** Returns the codes that follow a given one, in order. */
export const readProductCodes = async (
  db: TenantDb,
  customerId: CustomerId,
  after: string | undefined,
  limit: number,
): Promise<ProductCode[]> => {
  const { rows } = await db.$client.query<{ code: ProductCode }>(
    `SELECT code FROM products WHERE customer_id = $1 AND ($2::text IS NULL OR code COLLATE "C" > $2)
      ORDER BY code COLLATE "C" LIMIT $3`,
    [customerId, after ?? null, limit],
  )
  return rows.map(({ code }) => code)
}

/** Returns the codes of the newest products, as examples for a message. */
export const sampleProductCodes = async (db: TenantDb, customerId: CustomerId, max: number): Promise<ProductCode[]> => {
  const { rows } = await db.$client.query<{ code: ProductCode }>(
    'SELECT code FROM products WHERE customer_id = $1 ORDER BY created_at DESC LIMIT $2',
    [customerId, max],
  )
  return rows.map(({ code }) => code)
}

/** Takes products off sale. Buyers retain access. */
export const endProducts = (db: TenantDb, customerId: CustomerId, ids: readonly ProductId[], now: string) =>
  db.$client.query(
    `UPDATE products SET status = 'ENDED', updated_at = $3 WHERE customer_id = $1 AND id = ANY($2::uuid[])`,
    [customerId, ids, now],
  )

/** Takes options or plans off sale. */
export const closeSales = (
  db: TenantDb,
  customerId: CustomerId,
  table: 'product_options' | 'plans',
  ids: readonly string[],
) =>
  db.$client.query(`UPDATE ${table} SET on_sale = false WHERE customer_id = $1 AND id = ANY($2::uuid[])`, [
    customerId,
    ids,
  ])

/**
 * Returns the ids of the store's videos by asset. Videos whose stream was deleted are omitted. With
 * `lock`, none is deleted until the transaction ends.
 */
export const videoIdsOf = async (
  db: TenantDb,
  customerId: CustomerId,
  assets: readonly string[],
  { lock = false } = {},
): Promise<Map<string, VideoId>> => {
  const { rows } = await db.$client.query<{ id: VideoId; asset: string }>(
    `SELECT id, asset FROM videos WHERE customer_id = $1 AND asset = ANY($2::text[]) AND bytes IS DISTINCT FROM 0
      ORDER BY id ${lock ? 'FOR NO KEY UPDATE' : ''}`,
    [customerId, assets],
  )
  return new Map(rows.map(({ id, asset }) => [asset, id]))
}

/** A film uploaded for a product or lesson. */
export interface UploadedFilm {
  jobId: VideoJobId
  sourceKey: string
  name: string
  bytes: number
  options: VideoOptions
  /** True until the film is encoded. */
  open: boolean
  /** The resulting stream. Null if there is none, or none any more. */
  asset: string | null
}

/**
 * Returns the latest upload of each product or lesson by its id, except failed and cancelled
 * uploads.
 */
export const uploadedFilms = async (
  db: TenantDb,
  customerId: CustomerId,
  targets: readonly string[],
): Promise<Map<string, UploadedFilm>> => {
  const { rows } = await db.$client.query<UploadedFilm & { target: string }>(
    `SELECT DISTINCT ON (coalesce(j.lesson_id, j.product_id)) coalesce(j.lesson_id, j.product_id) AS target, j.id AS "jobId",
            j.source_key AS "sourceKey", j.source_name AS name, j.source_bytes AS bytes, j.options,
            j.status IN ('QUEUED', 'RUNNING') AS open, v.asset
       FROM video_jobs j LEFT JOIN videos v ON v.customer_id = $1 AND v.id = j.video_id AND v.retired_at IS NULL
      WHERE j.customer_id = $1 AND coalesce(j.lesson_id, j.product_id) = ANY($2::uuid[])
        AND j.status NOT IN ('FAILED', 'CANCELLED')
      ORDER BY coalesce(j.lesson_id, j.product_id), j.created_at DESC, j.id DESC`,
    [customerId, targets],
  )
  return new Map(rows.map(({ target, ...film }) => [target, film]))
}
