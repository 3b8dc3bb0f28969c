import { customType, foreignKey, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { products } from './catalog.ts'
import { customerId } from './columns.ts'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/**
 * What a search reads: tokens made in TypeScript (words, Korean and Japanese bigrams, initial consonants) and the plain title
 * for forgiving Latin typing mistakes. Read only through search functions: policies would keep its GIN indexes unused.
 */
export const productSearch = pgTable(
  'product_search',
  { customerId: customerId(), productId: uuid('product_id').notNull(), tokens: tsvector('tokens').notNull(), plain: text('plain').notNull() },
  (t) => [
    primaryKey({ columns: [t.customerId, t.productId] }),
    index('product_search_tokens').using('gin', t.tokens),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }).onDelete('cascade'),
  ],
)
