import {
  bigint,
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
import { customerId, tsvector } from '#api/platform/db/columns.ts'
import type { ProductId, VideoId } from '#contract/ids.ts'
import { products, videos } from './catalog.schema.ts'

/**
 * The search index: tokens made in TypeScript (words, pairs of Korean and Japanese letters, initial
 * consonants), each prefixed with its tenant. Read it only through `matching_products`: under
 * row-level security, the index would not be used.
 */
export const productSearch = pgTable(
  'product_search',
  {
    customerId: customerId(),
    productId: uuid('product_id').$type<ProductId>().notNull(),
    tokens: tsvector('tokens').notNull(),
    /**
     * A small number per product within its tenant: thousands of matches leave the database as
     * numbers instead of ids.
     */
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

/** The words of a tenant's catalogue, used to correct a search with one wrong letter. */
export const searchWords = pgTable(
  'search_words',
  { customerId: customerId().references(() => customers.customerId), word: text('word').notNull() },
  (t) => [primaryKey({ columns: [t.customerId, t.word] })],
)

/** A caption in a passage: start and end in seconds, and its text. */
export type PassageCue = [startSeconds: number, endSeconds: number, text: string]

/**
 * Captions grouped into passages of about a minute of a video. A passage repeats the first captions
 * of the next one (its last `shared`), so that a sentence across both is found whole. Read it
 * through `matching_passages`, for the reason given at product_search.
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
    /** The words of all captions in normalized form. */
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

/**
 * The products that each of a tenant's latest versions changed in its product index. The triggers
 * that move the version write it, and reuse the row of a version 256 before.
 */
export const productChanges = pgTable(
  'product_changes',
  {
    customerId: customerId(),
    slot: integer('slot').notNull(),
    version: bigint('version', { mode: 'number' }).notNull(),
    /** Null for more products than are worth naming. */
    productIds: uuid('product_ids').array().$type<ProductId[]>(),
  },
  (t) => [primaryKey({ columns: [t.customerId, t.slot] })],
)
