import type { TenantDb } from '#api/platform/db/client.ts'
import { lastOf } from '#api/platform/elements.ts'
import type { CustomerId, ProductId } from '#contract/ids.ts'
import { indexOf, type SearchableText } from './tokens.ts'

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
     SELECT $1, entry.id, entry.tokens::tsvector, entry.place
            + (SELECT coalesce(max(ordinal), 0) FROM product_search WHERE customer_id = $1)
       FROM unnest($2::uuid[], $3::text[]) WITH ORDINALITY AS entry (id, tokens, place)
         ON CONFLICT (customer_id, product_id) DO UPDATE SET tokens = excluded.tokens`,
    [customerId, entries.map((entry) => entry.id), entries.map((entry) => entry.tokens)],
  )
  const words = [...new Set(entries.flatMap((entry) => entry.words))].sort()
  await db.$client.query(
    'INSERT INTO search_words (customer_id, word) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING',
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
