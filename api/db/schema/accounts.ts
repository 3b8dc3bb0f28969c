import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { PostalAddress } from '#contract/accounts.ts'
import { at, createdAt, customerId, id } from './columns.ts'
import { customers } from './tenancy.ts'

export const members = pgTable(
  'members',
  {
    customerId: customerId().references(() => customers.customerId),
    id: id(),
    email: text('email').notNull(),
    /** Stored, not computed in an index: row-level security keeps `lower()` out of index conditions. */
    emailLower: text('email_lower').notNull(),
    passwordHash: text('password_hash').notNull(),
    name: text('name').notNull(),
    /** E.164. */
    phone: text('phone'),
    address: jsonb('address').$type<PostalAddress>(),
    locale: text('locale'),
    marketing: boolean('marketing').notNull().default(false),
    /** Granted by the operator: a company benefit, a bulk contract. */
    partnershipUntil: at('partnership_until'),
    partnershipName: text('partnership_name'),
    /** Set when the account has been erased: what the law keeps of it stands without a name. */
    withdrawnAt: at('withdrawn_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('members_email').on(t.customerId, t.emailLower),
    index('members_latest').on(t.customerId, t.createdAt.desc()),
  ],
)

/** Sessions: the token itself is never kept, only its SHA-256. */
export const sessions = pgTable(
  'sessions',
  {
    customerId: customerId(),
    id: id(),
    memberId: uuid('member_id').notNull(),
    tokenHash: text('token_hash').notNull(),
    device: text('device').notNull(),
    address: text('address').notNull(),
    expiresAt: at('expires_at').notNull(),
    lastSeenAt: at('last_seen_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('sessions_token').on(t.customerId, t.tokenHash),
    index('sessions_member').on(t.customerId, t.memberId),
    foreignKey({ columns: [t.customerId, t.memberId], foreignColumns: [members.customerId, members.id] }),
  ],
)

/** Networks a member has signed in from: a hash each, the latest of them, for a year. */
export const knownNetworks = pgTable(
  'known_networks',
  {
    customerId: customerId(),
    memberId: uuid('member_id').notNull(),
    networkHash: text('network_hash').notNull(),
    lastAt: at('last_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.memberId, t.networkHash] }),
    index('known_networks_past').on(t.customerId, t.lastAt),
    foreignKey({ columns: [t.customerId, t.memberId], foreignColumns: [members.customerId, members.id] }),
  ],
)

/** What the desk has to act on. */
export const cases = pgTable(
  'cases',
  {
    customerId: customerId(),
    id: id(),
    type: text('type').notNull(),
    status: text('status').notNull().default('WAIT'),
    memberId: uuid('member_id'),
    orderId: uuid('order_id'),
    subject: text('subject').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull().default({}),
    createdAt: createdAt(),
    completedAt: at('completed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('cases_open').on(t.customerId, t.status, t.createdAt),
    index('cases_order').on(t.customerId, t.orderId),
    check('cases_type', sql`${t.type} in ('INQUIRY', 'WITHDRAWAL', 'ORDER_CANCEL', 'CUSTOM')`),
    check('cases_status', sql`${t.status} in ('WAIT', 'COMPLETE')`),
  ],
)

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
