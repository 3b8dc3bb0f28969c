import {
  customType,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { customers } from '#api/modules/tenancy/tenancy.schema.ts'
import { customerId } from '#api/platform/db/columns.ts'
import type { ProductId, VideoId } from '#contract/ids.ts'
import { products, videos } from './catalog.schema.ts'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/**
 * What a search reads: tokens made in TypeScript (words, pairs of Korean and Japanese letters, initial consonants), each with its tenant in front. Read only
 * through `matching_products`: under row-level security the index would stay unused.
 */
export const productSearch = pgTable(
  'product_search',
  {
    customerId: customerId(),
    productId: uuid('product_id').$type<ProductId>().notNull(),
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

/** A caption as it stands in a passage: from, to (seconds), what is said. */
export type PassageCue = [startSeconds: number, endSeconds: number, text: string]

/**
 * Captions, some at a time: what is said in a video within about a minute. A passage repeats the first captions of the next one
 * (its last `shared`), so that a sentence that goes on there is found whole. Read through `matching_passages`, as product_search is.
 */
export const captionPassages = pgTable(
  'caption_passages',
  {
    customerId: customerId(),
    videoId: uuid('video_id').$type<VideoId>().notNull(),
    language: text('language').notNull(),
    place: integer('place').notNull(),
    cues: jsonb('cues').$type<PassageCue[]>().notNull(),
    shared: integer('shared').notNull(),
    /** The words of all its captions in the form they are compared in. */
    folded: text('folded').notNull(),
    tokens: tsvector('tokens').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.videoId, t.language, t.place] }),
    index('caption_passages_tokens').using('gin', t.tokens).with({ fastupdate: false }),
    foreignKey({ columns: [t.customerId, t.videoId], foreignColumns: [videos.customerId, videos.id] }).onDelete(
      'cascade',
    ),
  ],
)
