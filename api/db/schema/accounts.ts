import { sql } from 'drizzle-orm'
import {
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
    phone: text('phone'),
    locale: text('locale'),
    marketing: boolean('marketing').notNull().default(false),
    /** Granted by the operator: a company benefit, a bulk contract. */
    partnershipUntil: at('partnership_until'),
    withdrawnAt: at('withdrawn_at'),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.customerId, t.id] }), uniqueIndex('members_email').on(t.customerId, t.emailLower)],
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

/** What the desk has to act on. */
export const cases = pgTable(
  'cases',
  {
    customerId: customerId(),
    id: id(),
    type: text('type').notNull(),
    status: text('status').notNull().default('WAIT'),
    memberId: uuid('member_id'),
    subject: text('subject').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull().default({}),
    createdAt: createdAt(),
    completedAt: at('completed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('cases_open').on(t.customerId, t.status, t.createdAt),
    check('cases_type', sql`${t.type} in ('INQUIRY', 'WITHDRAWAL', 'ORDER_CANCEL', 'CUSTOM')`),
    check('cases_status', sql`${t.status} in ('WAIT', 'COMPLETE')`),
  ],
)
