import { and, asc, desc, eq, getTableColumns, gt, isNull, ne, or, sql } from 'drizzle-orm'
import { named, type TenantDb } from '#api/platform/db/client.ts'
import type {
  CustomerId,
  SavedViewId,
  StaffId,
  StaffInvitationId,
  StaffPasskeyId,
  StaffSessionId,
} from '#contract/ids.ts'
import type { DescribedRole } from './staff.queries.ts'
import { savedViews, staff, staffInvitations, staffPasskeys, staffRoles, staffSessions } from './staff.schema.ts'

/** Inserts an invitation. The email address must have no open one. */
export const insertInvitation = async (db: TenantDb, row: typeof staffInvitations.$inferInsert) => {
  await db.insert(staffInvitations).values(row)
}

const invitation = {
  id: staffInvitations.id,
  email: staffInvitations.email,
  emailLower: staffInvitations.emailLower,
  role: staffInvitations.role,
  roleId: staffInvitations.roleId,
  roleName: staffRoles.name,
  invitedBy: staffInvitations.invitedBy,
  createdAt: staffInvitations.createdAt,
  expiresAt: staffInvitations.expiresAt,
}
const ownRole = and(eq(staffRoles.customerId, staffInvitations.customerId), eq(staffRoles.id, staffInvitations.roleId))
const openAt = (customerId: CustomerId, now: Date) =>
  and(
    eq(staffInvitations.customerId, customerId),
    isNull(staffInvitations.closedAt),
    gt(staffInvitations.expiresAt, now.toISOString()),
  )

/** The open invitations of a store, latest first. */
export const readInvitations = (db: TenantDb, customerId: CustomerId, now: Date) =>
  db
    .select(invitation)
    .from(staffInvitations)
    .leftJoin(staffRoles, ownRole)
    .where(openAt(customerId, now))
    .orderBy(desc(staffInvitations.createdAt))

/** The open invitation behind the hash of a key. `lock` locks it until the transaction ends. */
export const findInvitation = async (
  db: TenantDb,
  customerId: CustomerId,
  keyHash: string,
  now: Date,
  { lock = false } = {},
) => {
  const query = db
    .select(invitation)
    .from(staffInvitations)
    .leftJoin(staffRoles, ownRole)
    .where(and(openAt(customerId, now), eq(staffInvitations.keyHash, keyHash)))
  const [row] = await (lock ? query.for('update', { of: staffInvitations }) : query)
  return row ?? null
}

/** Closes an open invitation by its id or its email address. Returns its email address, or null. */
export const closeInvitation = async (
  db: TenantDb,
  customerId: CustomerId,
  which: { id: StaffInvitationId } | { emailLower: string },
  now: Date,
): Promise<string | null> => {
  const matches = 'id' in which ? eq(staffInvitations.id, which.id) : eq(staffInvitations.emailLower, which.emailLower)
  const [closed] = await db
    .update(staffInvitations)
    .set({ closedAt: now.toISOString() })
    .where(and(eq(staffInvitations.customerId, customerId), isNull(staffInvitations.closedAt), matches))
    .returning({ email: staffInvitations.email })
  return closed?.email ?? null
}

export type PasskeyRow = typeof staffPasskeys.$inferSelect

/** The passkeys of a person at a store, the oldest first. */
export const readPasskeys = (db: TenantDb, customerId: CustomerId, staffId: StaffId): Promise<PasskeyRow[]> =>
  db
    .select()
    .from(staffPasskeys)
    .where(and(eq(staffPasskeys.customerId, customerId), eq(staffPasskeys.staffId, staffId)))
    .orderBy(asc(staffPasskeys.createdAt), asc(staffPasskeys.id))

/** The passkey of a credential, which is locked until the transaction ends. Null without one. */
export const lockPasskey = async (
  db: TenantDb,
  customerId: CustomerId,
  credentialId: string,
): Promise<PasskeyRow | null> => {
  const [row] = await db
    .select()
    .from(staffPasskeys)
    .where(and(eq(staffPasskeys.customerId, customerId), eq(staffPasskeys.credentialId, credentialId)))
    .for('update')
  return row ?? null
}

/** Inserts a passkey. Returns false if the store has its credential already. */
export const insertPasskey = async (db: TenantDb, row: typeof staffPasskeys.$inferInsert): Promise<boolean> => {
  const inserted = await db.insert(staffPasskeys).values(row).onConflictDoNothing().returning({ id: staffPasskeys.id })
  return inserted.length > 0
}

/** Overwrites columns of a passkey. */
export const updatePasskey = async (
  db: TenantDb,
  customerId: CustomerId,
  id: StaffPasskeyId,
  values: Partial<typeof staffPasskeys.$inferInsert>,
) => {
  await db
    .update(staffPasskeys)
    .set(values)
    .where(and(eq(staffPasskeys.customerId, customerId), eq(staffPasskeys.id, id)))
}

/** Deletes one passkey of a person, or all. Returns the names of those that existed. */
export const deletePasskeys = async (
  db: TenantDb,
  customerId: CustomerId,
  staffId: StaffId,
  id?: StaffPasskeyId,
): Promise<string[]> => {
  const deleted = await db
    .delete(staffPasskeys)
    .where(
      and(eq(staffPasskeys.customerId, customerId), eq(staffPasskeys.staffId, staffId), id && eq(staffPasskeys.id, id)),
    )
    .returning({ name: staffPasskeys.name })
  return deleted.map(({ name }) => name)
}

/** A session that has not expired, with its person and their role at the store. */
export interface LiveStaffSession extends DescribedRole {
  id: StaffSessionId
  staffId: StaffId
  email: string
  name: string
  confirmedAt: string | null
  hasSecondFactor: boolean
  lastSeenAt: string
  createdAt: string
  expiresAt: string
}

/**
 * The live session behind the hash of a token. Null when it has expired, all sessions of the person
 * were ended, or the person no longer belongs to the store.
 */
export const findLiveSession = async (
  db: TenantDb,
  customerId: CustomerId,
  tokenHash: string,
  now: Date,
): Promise<LiveStaffSession | null> => {
  const [row] = await named<LiveStaffSession>(
    db,
    'staff-session',
    `SELECT s.id, p.id AS "staffId", p.email, p.name, s.confirmed_at AS "confirmedAt",
            p.totp_secret IS NOT NULL OR EXISTS (SELECT FROM staff_passkeys k
              WHERE k.customer_id = s.customer_id AND k.staff_id = s.staff_id) AS "hasSecondFactor", s.last_seen_at AS "lastSeenAt",
            s.created_at AS "createdAt", s.expires_at AS "expiresAt",
            m.role, m.role_id AS "roleId", r.name AS "roleName", r.permissions
       FROM staff_sessions s
       JOIN staff_memberships m ON m.customer_id = s.customer_id AND m.staff_id = s.staff_id
       JOIN staff p ON p.id = s.staff_id AND p.session_version = s.version
       LEFT JOIN staff_roles r ON r.customer_id = m.customer_id AND r.id = m.role_id
      WHERE s.customer_id = $1 AND s.token_hash = $2 AND s.expires_at > $3`,
    [customerId, tokenHash, now.toISOString()],
  )
  return row ?? null
}

/** Inserts a session, known by the hash of its token. */
export const insertStaffSession = async (db: TenantDb, row: typeof staffSessions.$inferInsert) => {
  await db.insert(staffSessions).values(row)
}

/** Overwrites columns of a session. */
export const updateStaffSession = async (
  db: TenantDb,
  customerId: CustomerId,
  id: StaffSessionId,
  values: Partial<typeof staffSessions.$inferInsert>,
) => {
  await db
    .update(staffSessions)
    .set(values)
    .where(and(eq(staffSessions.customerId, customerId), eq(staffSessions.id, id)))
}

const ofStaff = (customerId: CustomerId, staffId: StaffId) =>
  and(eq(staffSessions.customerId, customerId), eq(staffSessions.staffId, staffId))

/** The latest hundred live sessions of a person at a store, the most recently seen first. */
export const readStaffSessions = (db: TenantDb, customerId: CustomerId, staffId: StaffId, now: Date) =>
  db
    .select()
    .from(staffSessions)
    .where(and(ofStaff(customerId, staffId), gt(staffSessions.expiresAt, now.toISOString())))
    .orderBy(desc(staffSessions.lastSeenAt), desc(staffSessions.id))
    .limit(100)

/**
 * The addresses of a person's latest sessions, expired ones included. Also runs for nobody, so that
 * timing does not reveal whether a person exists.
 */
export const readStaffAddresses = async (
  db: TenantDb,
  customerId: CustomerId,
  staffId: StaffId | null,
): Promise<string[]> => {
  const { rows } = await db.$client.query<{ address: string }>(
    `SELECT address FROM staff_sessions WHERE customer_id = $1 AND staff_id = $2 ORDER BY created_at DESC LIMIT 20`,
    [customerId, staffId ?? customerId],
  )
  return rows.map(({ address }) => address)
}

/** Deletes one session of a person. Returns false if it does not exist. */
export const deleteStaffSession = async (
  db: TenantDb,
  customerId: CustomerId,
  staffId: StaffId,
  id: StaffSessionId,
): Promise<boolean> => {
  const deleted = await db
    .delete(staffSessions)
    .where(and(ofStaff(customerId, staffId), eq(staffSessions.id, id)))
    .returning({ id: staffSessions.id })
  return deleted.length > 0
}

/** Deletes all sessions of a person at a store except one. */
export const deleteOtherStaffSessions = async (
  db: TenantDb,
  customerId: CustomerId,
  staffId: StaffId,
  except: StaffSessionId,
) => {
  await db.delete(staffSessions).where(and(ofStaff(customerId, staffId), ne(staffSessions.id, except)))
}

export type SavedViewRow = typeof savedViews.$inferSelect

const viewOf = (customerId: CustomerId, id: SavedViewId) =>
  and(eq(savedViews.customerId, customerId), eq(savedViews.id, id))

/** The views that a person sees at a store, with the names of their owners, by name. */
export const readViews = (
  db: TenantDb,
  customerId: CustomerId,
  staffId: StaffId,
): Promise<(SavedViewRow & { owner: string | null })[]> =>
  db
    .select({ ...getTableColumns(savedViews), owner: staff.name })
    .from(savedViews)
    .leftJoin(staff, eq(staff.id, savedViews.staffId))
    .where(
      and(eq(savedViews.customerId, customerId), or(eq(savedViews.staffId, staffId), eq(savedViews.isShared, true))),
    )
    .orderBy(sql`lower(${savedViews.name})`, asc(savedViews.id))

/** Inserts a view. Its owner must have no other of its name. */
export const insertView = async (db: TenantDb, row: typeof savedViews.$inferInsert) => {
  await db.insert(savedViews).values(row)
}

/** Overwrites columns of a view. Its owner must have no other of its name. */
export const updateView = async (
  db: TenantDb,
  customerId: CustomerId,
  id: SavedViewId,
  values: Pick<SavedViewRow, 'name' | 'search' | 'isShared'>,
) => {
  const { name, search, isShared } = values
  await db.update(savedViews).set({ name, search, isShared }).where(viewOf(customerId, id))
}

/** Deletes a view, whoever's it is. */
export const deleteView = async (db: TenantDb, customerId: CustomerId, id: SavedViewId) => {
  await db.delete(savedViews).where(viewOf(customerId, id))
}

/** Deletes the views of a person who leaves a store. Shared ones stay, without an owner. */
export const releaseViews = async (db: TenantDb, customerId: CustomerId, staffId: StaffId) => {
  const isTheirs = and(eq(savedViews.customerId, customerId), eq(savedViews.staffId, staffId))
  await db.delete(savedViews).where(and(isTheirs, eq(savedViews.isShared, false)))
  await db.update(savedViews).set({ staffId: null }).where(isTheirs)
}
