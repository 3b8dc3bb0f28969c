import type { TenantDb } from '#api/db/client.ts'
import type { CustomerId, ProductId } from '#contract/ids.ts'
import { indexOf, type SearchableText } from './tokens.ts'

export interface IndexedProduct extends SearchableText {
  id: ProductId
}

/** Makes products findable, or findable anew. Belongs into the transaction that writes them. */
export const indexProducts = async (db: TenantDb, customerId: CustomerId, products: readonly IndexedProduct[]) => {
  if (products.length === 0) return
  const entries = products.map((product) => ({ id: product.id, ...indexOf(customerId, product) }))
  // Ordinals count up within a tenant: two transactions must not hand out the same.
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
