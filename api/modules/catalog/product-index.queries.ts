import { named, type TenantDb } from '#api/platform/db/client.ts'
import { lastOf } from '#api/platform/elements.ts'
import type { Locale, ProductAccess, ProductKind } from '#contract/enumerations.ts'
import type { CustomerId, ProductId } from '#contract/ids.ts'
import { isFreeOfCharge, isReady } from './products.queries.ts'
import { indexOf, type SearchableText } from './tokens.ts'

/** The attributes by which lists are filtered, counted and sorted: one row per product on sale. */
export interface ProductIndexRow extends Record<string, unknown> {
  id: ProductId
  ordinal: number
  kind: ProductKind
  access: ProductAccess
  price: number | null
  duration: number | null
  /** Comma-separated ids: faster to read than an array for a hundred thousand rows. */
  categories: string
  /** Tags separated by unit separators. */
  tags: string
  sort: number
  created: number
  views: number
  plays: number
  sale_from: number | null
  sale_to: number | null
}

export const tagSeparator = '\u001f'

/** Rows that are read at once. */
const rowsPerPart = 5_000

/** SQL: the price by which a product is found. Null if it is not for sale. */
export const listedPrice = `CASE WHEN p.price_amount > 0 OR c.use_free THEN p.price_amount
  ELSE (SELECT min(o.price_amount) FROM product_options o
         WHERE o.customer_id = $1 AND o.product_id = p.id AND o.on_sale AND o.price_amount > 0) END`

/**
 * SQL: the products that lists have, as `p` with their search entries `s`. $1 is the tenant.
 * Products without content are excluded, as are free products if the store does not offer any.
 */
export const fromListedProducts = `FROM (SELECT (settings->'order'->>'useFree')::boolean AS use_free FROM customers WHERE customer_id = $1) c
  CROSS JOIN products p JOIN product_search s ON s.customer_id = $1 AND s.product_id = p.id
  WHERE p.customer_id = $1 AND p.status = 'ON_SALE' AND (p.sale_to IS NULL OR p.sale_to > now())
    AND ${isReady('p')} AND (c.use_free OR NOT ${isFreeOfCharge('p')})`

/** SQL: the rows of the index. */
const indexRows = `SELECT p.id, s.ordinal, p.kind, p.access, ${listedPrice} AS price,
            p.duration_seconds AS duration,
            array_to_string(p.category_ids, ',') AS categories, array_to_string(p.tags, E'\\u001f') AS tags,
            p.sort, extract(epoch FROM p.created_at)::float8 AS created, p.count_of_views AS views, p.count_of_plays AS plays,
            extract(epoch FROM p.sale_from)::float8 AS sale_from, extract(epoch FROM p.sale_to)::float8 AS sale_to
       ${fromListedProducts}`

/** All products on sale or coming on sale, by id, in parts. */
export async function* readProductIndexRows(db: TenantDb, customerId: CustomerId): AsyncGenerator<ProductIndexRow[]> {
  await db.$client.query(`DECLARE product_index NO SCROLL CURSOR FOR ${indexRows} ORDER BY p.id`, [customerId])
  for (;;) {
    const { rows } = await db.$client.query<ProductIndexRow>(`FETCH ${rowsPerPart} FROM product_index`)
    if (rows.length > 0) yield rows
    if (rows.length < rowsPerPart) break
  }
  await db.$client.query('CLOSE product_index')
}

/** Those of some products that are on sale or coming on sale, by id. */
export const readChangedIndexRows = (
  db: TenantDb,
  customerId: CustomerId,
  ids: readonly ProductId[],
): Promise<ProductIndexRow[]> =>
  named(db, 'changed-index-rows', `${indexRows} AND p.id = ANY($2::uuid[]) ORDER BY p.id`, [customerId, ids])

/** What changed of a tenant's product index after a version. */
interface ProductChanges {
  /** The latest version. */
  version: number
  ids: ProductId[]
  /** The database's time in seconds. Products whose sale ended before are not listed. */
  now: number
}

/** Returns what changed after a version; null if that is not known. */
export const readProductChanges = async (
  db: TenantDb,
  customerId: CustomerId,
  after: number,
): Promise<ProductChanges | null> => {
  const [row] = await named<{ versions: number; known: number; latest: number; ids: ProductId[]; now: number }>(
    db,
    'product-changes',
    `SELECT count(*)::int AS versions, count(product_ids)::int AS known, max(version)::float8 AS latest,
            array(SELECT DISTINCT unnest(product_ids) FROM product_changes WHERE customer_id = $1 AND version > $2) AS ids,
            extract(epoch FROM now())::float8 AS now
       FROM product_changes WHERE customer_id = $1 AND version > $2`,
    [customerId, after],
  )
  // Each version has a row: one without, or without ids, changed more than it says.
  if (!row || row.versions === 0 || row.known < row.latest - after) return null
  return { version: row.latest, ids: row.ids, now: row.now }
}

/** Says that a version of a tenant, made by this transaction, left the product index as it was. */
export const insertUnchangedIndex = (db: TenantDb, customerId: CustomerId, version: number) =>
  db.$client.query(
    `INSERT INTO product_changes (customer_id, slot, version, product_ids) VALUES ($1, $2::bigint % 256, $2, '{}')
         ON CONFLICT (customer_id, slot) DO UPDATE SET version = excluded.version, product_ids = excluded.product_ids`,
    [customerId, version],
  )

/** The views and plays of a product. */
export interface ProductCounts {
  id: ProductId
  views: number
  plays: number
}

/** Returns the time of a tenant's latest counts of views and plays; null without any. */
export const readCountedAt = async (db: TenantDb, customerId: CustomerId): Promise<string | null> => {
  const text = 'SELECT max(counted_at)::text AS at FROM products WHERE customer_id = $1'
  return (await named<{ at: string | null }>(db, 'counted-at', text, [customerId]))[0]?.at ?? null
}

/** Returns the products with views or plays counted after a time, the latest last. */
export const readCountsAfter = (db: TenantDb, customerId: CustomerId, time: string | null) =>
  named<ProductCounts & { at: string }>(
    db,
    'counts-after',
    `SELECT id, count_of_views AS views, count_of_plays AS plays, counted_at::text AS at FROM products
      WHERE customer_id = $1 AND counted_at > coalesce($2::timestamptz, '-infinity') ORDER BY counted_at`,
    [customerId, time],
  )

/** Counts the products that a tenant's index has at most, up to a limit. */
export const countIndexRows = async (db: TenantDb, customerId: CustomerId, limit: number): Promise<number> => {
  const { rows } = await db.$client.query<{ count: number }>(
    `SELECT count(*)::int AS count
       FROM (SELECT FROM products WHERE customer_id = $1 AND status = 'ON_SALE' LIMIT $2) p`,
    [customerId, limit],
  )
  return rows[0]?.count ?? 0
}

/**
 * Returns when the next sale of a tenant's products begins or ends after a time, in seconds; null
 * if none does.
 */
export const readNextSaleChange = async (db: TenantDb, customerId: CustomerId, after: Date): Promise<number | null> => {
  const [row] = await named<{ next: number | null }>(
    db,
    'next-sale-change',
    `SELECT extract(epoch FROM least(
              (SELECT min(sale_from) FROM products WHERE customer_id = $1 AND sale_from > $2 AND status = 'ON_SALE'),
              (SELECT min(sale_to) FROM products WHERE customer_id = $1 AND sale_to > $2 AND status = 'ON_SALE')
            ))::float8 AS next`,
    [customerId, after],
  )
  return row?.next ?? null
}

/**
 * A search ranks at most this many products: a word that common does not narrow the list, and
 * nobody pages further.
 */
const maxMatches = 10_000

/** Products by ordinal, each with its rank for the searched words. */
export interface MatchingProducts {
  ordinals: Uint32Array
  ranks: Uint32Array
}

const numbersIn = (list: string | null | undefined) =>
  list ? Uint32Array.from(list.split(','), Number) : new Uint32Array()

/** Returns the products that match the searched words. */
export const matchProducts = async (db: TenantDb, customerId: CustomerId, words: string): Promise<MatchingProducts> => {
  const [row] = await named<{ ordinals: string; ranks: string }>(
    db,
    'match_products',
    'SELECT ordinals, ranks FROM matching_products($1, $2, $3)',
    [customerId, words, maxMatches],
  )
  return { ordinals: numbersIn(row?.ordinals), ranks: numbersIn(row?.ranks) }
}

/** Returns all words of a tenant's catalogue. */
export const readSearchWords = async (db: TenantDb, customerId: CustomerId): Promise<string[]> => {
  const { rows } = await db.$client.query<{ word: string }>('SELECT word FROM search_words WHERE customer_id = $1', [
    customerId,
  ])
  return rows.map((row) => row.word)
}

/**
 * Returns the labels of tags in a language. Where products differ, the product with the lowest id
 * decides.
 */
export const readTagLabels = async (
  db: TenantDb,
  customerId: CustomerId,
  language: Locale,
): Promise<Map<string, string>> => {
  const { rows } = await db.$client.query<{ tag: string; label: string }>(
    `SELECT DISTINCT ON (t.tag) t.tag, t.label
       FROM products p
      CROSS JOIN LATERAL (SELECT p.translations -> $2 -> 'tags' AS labels) l
      CROSS JOIN LATERAL ROWS FROM (unnest(p.tags), jsonb_array_elements_text(l.labels)) AS t (tag, label)
      WHERE p.customer_id = $1 AND jsonb_array_length(l.labels) = cardinality(p.tags)
      ORDER BY t.tag, p.id`,
    [customerId, language],
  )
  return new Map(rows.map(({ tag, label }) => [tag, label]))
}

export interface IndexedProduct extends SearchableText {
  id: ProductId
}

/**
 * Adds products to the search index or updates them. Call it in the transaction that writes them.
 */
export const indexProducts = async (db: TenantDb, customerId: CustomerId, products: readonly IndexedProduct[]) => {
  if (products.length === 0) return
  const entries = products.map((product) => ({ id: product.id, ...indexOf(customerId, product) }))
  // Ordinals increase within a tenant: two transactions must not assign the same one.
  await db.$client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [customerId])
  await db.$client.query(
    `INSERT INTO product_search (customer_id, product_id, tokens, ordinal)
     SELECT c.customer_id, entry.id, entry.tokens::tsvector, entry.place
            + (SELECT coalesce(max(ordinal), 0) FROM product_search WHERE customer_id = $1)
       FROM customers c CROSS JOIN unnest($2::uuid[], $3::text[]) WITH ORDINALITY AS entry (id, tokens, place)
      WHERE c.customer_id = $1
         ON CONFLICT (customer_id, product_id) DO UPDATE SET tokens = excluded.tokens`,
    [customerId, entries.map((entry) => entry.id), entries.map((entry) => entry.tokens)],
  )
  const words = [...new Set(entries.flatMap((entry) => entry.words))].sort()
  await db.$client.query(
    `INSERT INTO search_words (customer_id, word)
     SELECT c.customer_id, words.word FROM customers c CROSS JOIN unnest($2::text[]) AS words (word)
      WHERE c.customer_id = $1 ON CONFLICT DO NOTHING`,
    [customerId, words],
  )
}

const batch = 2000

/**
 * Updates the derived data of products: the cheapest option, the number and total duration of
 * lessons, and the search index. Call it in the transaction that writes products, options or
 * lessons. Without `ids`, all products of the tenant are updated.
 */
export const refreshProducts = async (db: TenantDb, customerId: CustomerId, ids?: readonly ProductId[]) => {
  await db.$client.query(
    `UPDATE products p
        SET option_count = coalesce(o.options, 0), price_amount = o.price, list_price_amount = o.list_price, price_type = o.type,
            lesson_count = coalesce(l.lessons, 0),
            duration_seconds = coalesce(l.seconds, (SELECT round(v.duration_seconds)::int FROM videos v
                                                     WHERE v.customer_id = $1 AND v.id = p.video_id))
       FROM products q
       LEFT JOIN (
         SELECT product_id, count(*)::int AS options,
                (array_agg(price_amount ORDER BY price_amount, sort))[1] AS price,
                (array_agg(list_price_amount ORDER BY price_amount, sort))[1] AS list_price,
                (array_agg(type ORDER BY price_amount, sort))[1] AS type
           FROM product_options WHERE customer_id = $1 AND on_sale AND ($2::uuid[] IS NULL OR product_id = ANY($2::uuid[]))
          GROUP BY product_id
       ) o ON o.product_id = q.id
       LEFT JOIN (
         SELECT lessons.product_id, count(*)::int AS lessons, round(sum(v.duration_seconds))::int AS seconds
           FROM lessons JOIN videos v ON v.customer_id = $1 AND v.id = lessons.video_id
          WHERE lessons.customer_id = $1 AND ($2::uuid[] IS NULL OR lessons.product_id = ANY($2::uuid[]))
          GROUP BY lessons.product_id
       ) l ON l.product_id = q.id
      WHERE p.customer_id = $1 AND q.customer_id = $1 AND q.id = p.id AND ($2::uuid[] IS NULL OR p.id = ANY($2::uuid[]))`,
    [customerId, ids ?? null],
  )
  for (let last: string | null = null; ; ) {
    const { rows }: { rows: IndexedProduct[] } = await db.$client.query<IndexedProduct>(
      `SELECT id, title, tags, summary, translations FROM products
        WHERE customer_id = $1 AND ($2::uuid[] IS NULL OR id = ANY($2::uuid[])) AND ($3::uuid IS NULL OR id > $3)
        ORDER BY id LIMIT ${batch}`,
      [customerId, ids ?? null, last],
    )
    await indexProducts(db, customerId, rows)
    if (rows.length < batch) return
    last = lastOf(rows).id
  }
}
