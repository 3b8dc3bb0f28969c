import { bigint, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { at, customerId } from '#api/platform/db/columns.ts'

/**
 * Recent attempts, shared by all processes of the installation. The key is hashed. Times are
 * milliseconds of the store's clock.
 */
export const rateLimits = pgTable(
  'rate_limits',
  {
    customerId: customerId(),
    name: text('name').notNull(),
    keyHash: text('key_hash').notNull(),
    attemptedAt: bigint('attempted_at', { mode: 'number' }).array().notNull(),
    expiresAt: at('expires_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.name, t.keyHash] }),
    index('rate_limits_expired').on(t.customerId, t.expiresAt),
  ],
)
