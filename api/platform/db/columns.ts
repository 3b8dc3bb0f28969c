import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { bigint, customType, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import type { Translations } from '#contract/translations.ts'

/** Every table begins with its tenant: the first column of each key, so that the schema can be split by it. */
export const customerId = () => uuid('customer_id').notNull()
export const id = () => uuid('id').notNull()

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

let lastMillisecond = 0
let sequence = 0

/**
 * A UUIDv7 (RFC 9562): ids sort by the time they were made, and within one process strictly so, because 12 bits count the ids of
 * one millisecond. Brand it at the call: `newId<OrderItemId>()`.
 */
export const newId = <Id extends string = string>(now: number = Date.now()): Id => {
  if (now > lastMillisecond) {
    lastMillisecond = now
    sequence = 0
  } else if (++sequence > 0xfff) {
    lastMillisecond++
    sequence = 0
  }
  const bytes = randomBytes(16)
  bytes.writeUIntBE(lastMillisecond, 0, 6)
  bytes.writeUInt16BE(0x7000 | sequence, 6)
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as Id
}
