import { integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { at, createdAt, customerId } from '#api/platform/db/columns.ts'
import type { MemberId, OperatorTokenId, StaffId } from '#contract/ids.ts'

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    customerId: customerId(),
    /** The member, person of the staff or operator token that writes. */
    holder: uuid('member_id').$type<MemberId | StaffId | OperatorTokenId>().notNull(),
    key: text('key').notNull(),
    procedure: text('procedure').notNull(),
    bodyHash: text('body_hash').notNull(),
    status: integer('status'),
    answer: jsonb('answer'),
    lockedUntil: at('locked_until').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.customerId, t.holder, t.key] })],
)
