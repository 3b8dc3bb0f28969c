import { bigint, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { at, customerId } from '#api/platform/db/columns.ts'

/**
 * What was tried of late by whom, counted for all processes of the installation: the key is hashed, the moments are milliseconds of
 * the store's clock.
 */
export const attempts = pgTable(
  'attempts',
  {
    customerId: customerId(),
    name: text('name').notNull(),
    keyHash: text('key_hash').notNull(),
    taken: bigint('taken', { mode: 'number' }).array().notNull(),
    forgetAt: at('forget_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.name, t.keyHash] }),
    index('attempts_past').on(t.customerId, t.forgetAt),
  ],
)
