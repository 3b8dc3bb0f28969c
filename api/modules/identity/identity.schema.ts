import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { customers } from '#api/modules/tenancy/tenancy.schema.ts'
import { at, createdAt, customerId, id } from '#api/platform/db/columns.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { PostalAddress } from '#contract/identity.ts'
import type { JoinVerificationId, MemberId, OperatorTokenId, PasswordResetId, SessionId } from '#contract/ids.ts'
import type { Permission } from '#contract/permissions.ts'

export const members = pgTable(
  'members',
  {
    customerId: customerId().references(() => customers.customerId),
    id: id<MemberId>(),
    email: text('email').notNull(),
    /** A stored column: row-level security prevents `lower()` in index conditions. */
    emailLower: text('email_lower').notNull(),
    passwordHash: text('password_hash').notNull(),
    name: text('name').notNull(),
    /** E.164. */
    phone: text('phone'),
    address: jsonb('address').$type<PostalAddress>(),
    locale: text('locale').$type<Locale>(),
    marketing: boolean('marketing').notNull().default(false),
    /** Granted by the operator, such as a company benefit or a bulk contract. */
    partnershipUntil: at('partnership_until'),
    partnershipName: text('partnership_name'),
    /** When staff blocked the member, who cannot sign in since. */
    blockedAt: at('blocked_at'),
    /** When the account was erased. Records required by law remain without a name. */
    withdrawnAt: at('withdrawn_at'),
    createdAt: createdAt(),
    /** What staff search by words: the email address and the name in lower case, on two lines. */
    searchText: text('search_text').generatedAlwaysAs(sql`email_lower || chr(10) || lower(name)`),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('members_email').on(t.customerId, t.emailLower),
    index('members_latest').on(t.customerId, t.createdAt.desc()),
    /** A search for a part of a text reads this index alone, in the order of the list. */
    index('members_search')
      .on(t.customerId, t.createdAt.desc(), t.id.desc(), t.searchText)
      .where(sql`withdrawn_at is null`),
    index('members_name').on(t.customerId, t.name, t.id),
    index('members_partnership').on(t.customerId, t.partnershipName).where(sql`partnership_name is not null`),
  ],
)

/** What staff have written on members, in lower case, to find them by. */
export const memberTags = pgTable(
  'member_tags',
  {
    customerId: customerId(),
    memberId: uuid('member_id').$type<MemberId>().notNull(),
    tag: text('tag').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.memberId, t.tag] }),
    index('member_tags_tag').on(t.customerId, t.tag),
    foreignKey({ columns: [t.customerId, t.memberId], foreignColumns: [members.customerId, members.id] }),
  ],
)

/** Only the SHA-256 of the token is stored. */
export const sessions = pgTable(
  'sessions',
  {
    customerId: customerId(),
    id: id<SessionId>(),
    memberId: uuid('member_id').$type<MemberId>().notNull(),
    tokenHash: text('token_hash').notNull(),
    device: text('device').notNull(),
    address: text('address').notNull(),
    expiresAt: at('expires_at').notNull(),
    lastSeenAt: at('last_seen_at').notNull(),
    /** The member of the staff who looks at the store as this member. Null for the member's own. */
    viewer: text('viewer'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('sessions_token').on(t.customerId, t.tokenHash),
    index('sessions_member').on(t.customerId, t.memberId),
    /** The members' own sessions in the order in which they were seen. */
    index('sessions_seen').on(t.customerId, t.lastSeenAt.desc(), t.id.desc()).where(sql`viewer is null`),
    foreignKey({ columns: [t.customerId, t.memberId], foreignColumns: [members.customerId, members.id] }),
  ],
)

/** The latest networks a member signed in from, as hashes, retained for a year. */
export const knownNetworks = pgTable(
  'known_networks',
  {
    customerId: customerId(),
    memberId: uuid('member_id').$type<MemberId>().notNull(),
    networkHash: text('network_hash').notNull(),
    lastAt: at('last_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.memberId, t.networkHash] }),
    index('known_networks_past').on(t.customerId, t.lastAt),
    foreignKey({ columns: [t.customerId, t.memberId], foreignColumns: [members.customerId, members.id] }),
  ],
)

/**
 * A join that waits for its code. A join for an existing account is stored too, without a valid
 * code, so that both respond alike.
 */
export const joinVerifications = pgTable(
  'join_verifications',
  {
    customerId: customerId(),
    id: id<JoinVerificationId>(),
    /** SHA-256 of the token in the browser's cookie. */
    tokenHash: text('token_hash').notNull(),
    email: text('email').notNull(),
    emailLower: text('email_lower').notNull(),
    passwordHash: text('password_hash').notNull(),
    name: text('name').notNull(),
    phone: text('phone'),
    address: jsonb('address').$type<PostalAddress>(),
    marketing: boolean('marketing').notNull(),
    termsVersion: text('terms_version').notNull(),
    privacyVersion: text('privacy_version').notNull(),
    locale: text('locale').$type<Locale>().notNull(),
    /** Null if an account with this email exists. */
    codeHash: text('code_hash'),
    triesLeft: integer('tries_left').notNull(),
    sentAt: at('sent_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    verifiedAt: at('verified_at'),
    completedAt: at('completed_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('join_verifications_token').on(t.customerId, t.tokenHash),
    index('join_verifications_expired').on(t.customerId, t.expiresAt),
  ],
)

export const passwordResets = pgTable(
  'password_resets',
  {
    customerId: customerId(),
    id: id<PasswordResetId>(),
    memberId: uuid('member_id').$type<MemberId>().notNull(),
    keyHash: text('key_hash').notNull(),
    expiresAt: at('expires_at').notNull(),
    usedAt: at('used_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('password_resets_key').on(t.customerId, t.keyHash),
    index('password_resets_member').on(t.customerId, t.memberId),
    foreignKey({ columns: [t.customerId, t.memberId], foreignColumns: [members.customerId, members.id] }),
  ],
)

export type ConsentType = 'TERMS' | 'PRIVACY' | 'MARKETING' | 'AGE' | 'RECURRING'

/** Evidence of each consent: its version, and when it was given or withdrawn. Append-only. */
export const consents = pgTable(
  'consents',
  {
    customerId: customerId(),
    id: id(),
    memberId: uuid('member_id').$type<MemberId>().notNull(),
    type: text('type').$type<ConsentType>().notNull(),
    version: text('version').notNull(),
    granted: boolean('granted').notNull(),
    at: at('at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('consents_member').on(t.customerId, t.memberId, t.type, t.at.desc()),
    foreignKey({ columns: [t.customerId, t.memberId], foreignColumns: [members.customerId, members.id] }),
    check('consents_type', sql`${t.type} in ('TERMS', 'PRIVACY', 'MARKETING', 'AGE', 'RECURRING')`),
  ],
)

/** Bearer tokens for operators' programs. Only the hash is stored. */
export const operatorTokens = pgTable(
  'operator_tokens',
  {
    customerId: customerId(),
    id: id<OperatorTokenId>(),
    name: text('name').notNull(),
    scopes: text('scopes').array().$type<Permission[]>().notNull(),
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
