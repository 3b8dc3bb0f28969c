import {
  customType,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { products } from './catalog.ts'
import { customerId } from './columns.ts'
import { customers } from './tenancy.ts'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/**
 * What a search reads: tokens made in TypeScript (words, pairs of Korean and Japanese letters, initial consonants), each with its tenant in front. Read only
 * through `matching_products`: under row-level security the index would stay unused.
 */
export const productSearch = pgTable(
  'product_search',
  {
    customerId: customerId(),
    productId: uuid('product_id').notNull(),
    tokens: tsvector('tokens').notNull(),
    /** A small number for the product within its tenant: thousands of matches leave the database as numbers, not as ids. */
    ordinal: integer('ordinal').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.productId] }),
    index('product_search_tokens').using('gin', t.tokens),
    uniqueIndex('product_search_ordinal').on(t.customerId, t.ordinal),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }).onDelete(
      'cascade',
    ),
  ],
)

/** The words of a tenant's catalogue, for a search that found nothing because of one wrong letter. */
export const searchWords = pgTable(
  'search_words',
  { customerId: customerId().references(() => customers.customerId), word: text('word').notNull() },
  (t) => [primaryKey({ columns: [t.customerId, t.word] })],
)
