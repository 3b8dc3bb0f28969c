import { pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { OperatorScope } from '#contract/operators.ts'
import { at, createdAt, customerId, id } from './columns.ts'

/** Bearers by which operators' programs use the API of their store. Only the hash is kept. */
export const operatorTokens = pgTable(
  'operator_tokens',
  {
    customerId: customerId(),
    id: id(),
    name: text('name').notNull(),
    scopes: text('scopes').array().$type<OperatorScope[]>().notNull(),
    tokenHash: text('token_hash').notNull(),
    expiresAt: at('expires_at'),
    lastUsedAt: at('last_used_at'),
    revokedAt: at('revoked_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('operator_tokens_hash').on(t.customerId, t.tokenHash),
  ],
)
