import { sql } from 'drizzle-orm'
import { bigint, customType, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import { v7 } from 'uuid'
import type { CustomerId } from '#contract/ids.ts'
import type { Translations } from '#contract/translations.ts'

/** Every table begins with its tenant: the first column of each key, so that the schema can be split by it. */
export const customerId = () => uuid('customer_id').$type<CustomerId>().notNull()
/** `id<OrderItemId>()`: the column carries the brand of its ids. */
export const id = <Id extends string = string>() => uuid('id').$type<Id>().notNull()

/** A moment, as the contract writes it: ISO 8601 in UTC, milliseconds. */
export const at = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp with time zone',
  fromDriver: (value) => new Date(value).toISOString(),
})
export const createdAt = () => at('created_at').notNull().default(sql`now()`)
/** Minor units. JavaScript's safe integers hold more money than any store moves. */
export const amount = (name: string) => bigint(name, { mode: 'number' })
export const currency = () => text('currency').notNull()

/** The row's texts in other languages than the store's own: `{ "ko": { "title": "…" } }`. A text that is missing falls back. */
export const translations = () => jsonb('translations').$type<Translations>().notNull().default({})

/** @returns a UUIDv7, later than those this process made before. Brand it at the call: `newId<OrderItemId>()`. */
export const newId = <Id extends string = string>(): Id =>
  // A new id is of the kind that its caller makes.
  v7() as Id
