import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { members } from '#api/modules/identity/identity.schema.ts'
import { at, createdAt, customerId, id } from '#api/platform/db/columns.ts'
import type { CardId, MemberId } from '#contract/ids.ts'

/**
 * Cards registered on the provider's page. The card number is never stored: `token` is the
 * provider's encrypted identifier.
 */
export const cards = pgTable(
  'cards',
  {
    customerId: customerId(),
    id: id<CardId>(),
    memberId: uuid('member_id').$type<MemberId>().notNull(),
    provider: text('provider').notNull(),
    providerRef: text('provider_ref'),
    token: text('token'),
    status: text('status').$type<'READY' | 'ACTIVE' | 'FAILED' | 'REMOVED'>().notNull().default('READY'),
    failure: text('failure'),
    issuer: text('issuer'),
    lastFour: text('last_four'),
    expiryMonth: integer('expiry_month'),
    expiryYear: integer('expiry_year'),
    isDefault: boolean('is_default').notNull().default(false),
    /** The card to replace once this one is registered. */
    replacesId: uuid('replaces_id').$type<CardId>(),
    createdAt: createdAt(),
    removedAt: at('removed_at'),
    /** The provider is not queried again before this time. */
    nextCheckAt: at('next_check_at'),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('cards_in_registration').on(t.customerId, t.nextCheckAt).where(sql`status = 'READY'`),
    index('cards_to_check').on(t.customerId, t.nextCheckAt).where(sql`next_check_at is not null`),
    index('cards_to_forget').on(t.customerId).where(sql`status = 'REMOVED' and token is not null`),
    index('cards_member').on(t.customerId, t.memberId, t.createdAt.desc()),
    uniqueIndex('cards_one_default').on(t.customerId, t.memberId).where(sql`is_default`),
    foreignKey({ columns: [t.customerId, t.memberId], foreignColumns: [members.customerId, members.id] }),
    check('cards_status', sql`${t.status} in ('READY', 'ACTIVE', 'FAILED', 'REMOVED')`),
  ],
)
