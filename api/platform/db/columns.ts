import { sql } from 'drizzle-orm'
import { bigint, customType, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import { v7 } from 'uuid'
import type { CustomerId, RowId } from '#contract/ids.ts'
import type { Translations } from '#contract/translations.ts'

/**
 * The first column of every table and of each key, so that the schema can be partitioned by tenant.
 */
export const customerId = () => uuid('customer_id').$type<CustomerId>().notNull()
/** `id<OrderItemId>()` gives the column the branded type of its ids. */
export const id = <Id extends string = RowId>() => uuid('id').$type<Id>().notNull()

/** A timestamp in the format of the contract: ISO 8601 in UTC with milliseconds. */
export const at = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp with time zone',
  fromDriver: (value) => new Date(value).toISOString(),
})
/** The time of creation, by default the time of the transaction. */
export const createdAt = () => at('created_at').notNull().default(sql`now()`)
/** An amount in minor units. JavaScript's safe integers are large enough. */
export const amount = (name: string) => bigint(name, { mode: 'number' })
/** An ISO 4217 code of three letters. */
export const currency = () => text('currency').notNull()

export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/**
 * Translations of the row's texts: `{ "ko": { "title": "…" } }`. A missing text falls back to the
 * store's language.
 */
export const translations = () => jsonb('translations').$type<Translations>().notNull().default({})

/**
 * @returns a UUIDv7, later than those this process made before. Brand it at the call:
 * `newId<OrderItemId>()`.
 */
export const newId = <Id extends string = RowId>(): Id =>
  // The caller decides which kind of id it creates.
  v7() as Id
