import { sql } from 'drizzle-orm'
import {
  bigint,
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
import { at, createdAt, customerId, id } from '#api/platform/db/columns.ts'
import type { ViewedList } from '#contract/admin/views.ts'
import type { Locale } from '#contract/enumerations.ts'
import type {
  SavedViewId,
  StaffId,
  StaffInvitationId,
  StaffPasskeyId,
  StaffRoleId,
  StaffSessionId,
} from '#contract/ids.ts'
import type { Permission, StaffRole } from '#contract/permissions.ts'

/**
 * People of the installation's stores. A store sees those who belong to it, and the one whose email
 * address `marquee.staff_email` names.
 */
export const staff = pgTable(
  'staff',
  {
    id: uuid('id').$type<StaffId>().primaryKey(),
    email: text('email').notNull(),
    emailLower: text('email_lower').notNull(),
    name: text('name').notNull(),
    locale: text('locale').$type<Locale>(),
    passwordHash: text('password_hash').notNull(),
    /** Increases when all sessions of all stores must end. */
    sessionVersion: integer('session_version').notNull().default(1),
    /** The encrypted secret of the authenticator app; null without one. */
    totpSecret: text('totp_secret'),
    /** The encrypted secret of an app that is not confirmed yet. */
    totpPending: text('totp_pending'),
    /** The time step of the last accepted code, so that each code works once. */
    totpStep: bigint('totp_step', { mode: 'number' }).notNull().default(0),
    /** SHA-256 of the unused recovery codes. */
    recoveryCodes: text('recovery_codes').array().notNull().default([]),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('staff_email').on(t.emailLower)],
)

/** Roles of a store's own. */
export const staffRoles = pgTable(
  'staff_roles',
  {
    customerId: customerId(),
    id: id<StaffRoleId>(),
    name: text('name').notNull(),
    permissions: text('permissions').array().$type<Permission[]>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('staff_roles_name').on(t.customerId, sql`lower(${t.name})`),
  ],
)

const roleColumns = () => ({
  /** A built-in role; null for one of the store's own. */
  role: text('role').$type<StaffRole>(),
  roleId: uuid('role_id').$type<StaffRoleId>(),
})

/** Which person belongs to which store, with which role. */
export const staffMemberships = pgTable(
  'staff_memberships',
  {
    customerId: customerId(),
    staffId: uuid('staff_id')
      .$type<StaffId>()
      .notNull()
      .references(() => staff.id),
    ...roleColumns(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.staffId] }),
    index('staff_memberships_role').on(t.customerId, t.roleId),
    foreignKey({ columns: [t.customerId, t.roleId], foreignColumns: [staffRoles.customerId, staffRoles.id] }),
    check('staff_memberships_one_role', sql`(${t.role} is null) <> (${t.roleId} is null)`),
  ],
)

/** Only the SHA-256 of the token is stored. */
export const staffSessions = pgTable(
  'staff_sessions',
  {
    customerId: customerId(),
    id: id<StaffSessionId>(),
    staffId: uuid('staff_id').$type<StaffId>().notNull(),
    tokenHash: text('token_hash').notNull(),
    /** The person's `session_version` at the sign-in. */
    version: integer('version').notNull(),
    device: text('device').notNull(),
    address: text('address').notNull(),
    /** When the second factor was confirmed; null if it was not. */
    confirmedAt: at('confirmed_at'),
    expiresAt: at('expires_at').notNull(),
    lastSeenAt: at('last_seen_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('staff_sessions_token').on(t.customerId, t.tokenHash),
    index('staff_sessions_staff').on(t.customerId, t.staffId),
    foreignKey({
      columns: [t.customerId, t.staffId],
      foreignColumns: [staffMemberships.customerId, staffMemberships.staffId],
    }).onDelete('cascade'),
  ],
)

/**
 * Passkeys of people at a store. A passkey belongs to the host at which it was added.
 */
export const staffPasskeys = pgTable(
  'staff_passkeys',
  {
    customerId: customerId(),
    id: id<StaffPasskeyId>(),
    staffId: uuid('staff_id').$type<StaffId>().notNull(),
    credentialId: text('credential_id').notNull(),
    /** The public key as COSE, in base64url. */
    publicKey: text('public_key').notNull(),
    /** How often the authenticator has signed; 0 for those that do not count. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    host: text('host').notNull(),
    name: text('name').notNull(),
    /** When the last accepted challenge was made, so that each signature counts once. */
    lastChallengeAt: at('last_challenge_at'),
    lastUsedAt: at('last_used_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('staff_passkeys_credential').on(t.customerId, t.credentialId),
    index('staff_passkeys_staff').on(t.customerId, t.staffId),
    foreignKey({
      columns: [t.customerId, t.staffId],
      foreignColumns: [staffMemberships.customerId, staffMemberships.staffId],
    }).onDelete('cascade'),
  ],
)

/** Invitations by mail. Only the SHA-256 of the key is stored. */
export const staffInvitations = pgTable(
  'staff_invitations',
  {
    customerId: customerId(),
    id: id<StaffInvitationId>(),
    email: text('email').notNull(),
    emailLower: text('email_lower').notNull(),
    ...roleColumns(),
    keyHash: text('key_hash').notNull(),
    /** The actor in the audit log. */
    invitedBy: text('invited_by').notNull(),
    expiresAt: at('expires_at').notNull(),
    /** When it was accepted, revoked or replaced; null while it is open. */
    closedAt: at('closed_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('staff_invitations_key').on(t.customerId, t.keyHash),
    uniqueIndex('staff_invitations_open').on(t.customerId, t.emailLower).where(sql`closed_at is null`),
    foreignKey({ columns: [t.customerId, t.roleId], foreignColumns: [staffRoles.customerId, staffRoles.id] }),
    check('staff_invitations_one_role', sql`(${t.role} is null) <> (${t.roleId} is null)`),
  ],
)

/** Views of the console's lists that staff save under a name. */
export const savedViews = pgTable(
  'saved_views',
  {
    customerId: customerId(),
    id: id<SavedViewId>(),
    /** Whose view it is. Null for a shared view whose owner has left the store. */
    staffId: uuid('staff_id').$type<StaffId>(),
    list: text('list').$type<ViewedList>().notNull(),
    name: text('name').notNull(),
    /** The parameters of the list's address. */
    search: jsonb('search').$type<Record<string, string>>().notNull(),
    isShared: boolean('is_shared').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('saved_views_name').on(t.customerId, t.staffId, t.list, t.name),
  ],
)
