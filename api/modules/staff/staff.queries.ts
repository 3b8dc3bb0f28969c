import { and, asc, desc, eq, gt, ne, sql } from 'drizzle-orm'
import pg from 'pg'
import { named, type TenantDb } from '#api/platform/db/client.ts'
import type { CustomerId, StaffId, StaffRoleId, StaffSessionId } from '#contract/ids.ts'
import type { Permission, StaffRole } from '#contract/permissions.ts'
import { staff, staffMemberships, staffPasskeys, staffRoles, staffSessions } from './staff.schema.ts'

export type StaffRow = typeof staff.$inferSelect

/** A role as it is stored: a built-in one, or one of the store's own. */
export interface StoredRole {
  role: StaffRole | null
  roleId: StaffRoleId | null
}

/** A role with what describes it. */
export interface DescribedRole extends StoredRole {
  roleName: string | null
  /** Null for a built-in role. */
  permissions: Permission[] | null
}

const roleOf = {
  role: staffMemberships.role,
  roleId: staffMemberships.roleId,
  roleName: staffRoles.name,
  permissions: staffRoles.permissions,
}
const ownRole = and(eq(staffRoles.customerId, staffMemberships.customerId), eq(staffRoles.id, staffMemberships.roleId))
const membership = (customerId: CustomerId) =>
  and(eq(staffMemberships.customerId, customerId), eq(staffMemberships.staffId, staff.id))

/** The person of a store with an email address, and their role. Null without one. */
export const findStaffByEmail = async (
  db: TenantDb,
  customerId: CustomerId,
  emailLower: string,
): Promise<StaffRow | null> => {
  const [row] = await db
    .select({ person: staff })
    .from(staff)
    .innerJoin(staffMemberships, membership(customerId))
    .where(eq(staff.emailLower, emailLower))
  return row?.person ?? null
}

/** SQL: whether a person has a passkey of the store. */
const hasPasskey = (customerId: CustomerId) => sql<boolean>`EXISTS (SELECT FROM ${staffPasskeys}
  WHERE ${staffPasskeys.customerId} = ${customerId} AND ${staffPasskeys.staffId} = ${staff.id})`

/** The person of a store by id. `lock` locks the row until the transaction ends. */
export const findStaff = async (
  db: TenantDb,
  customerId: CustomerId,
  id: StaffId,
  { lock = false } = {},
): Promise<(StaffRow & DescribedRole & { hasPasskey: boolean }) | null> => {
  const query = db
    .select({ person: staff, hasPasskey: hasPasskey(customerId), ...roleOf })
    .from(staff)
    .innerJoin(staffMemberships, membership(customerId))
    .leftJoin(staffRoles, ownRole)
    .where(eq(staff.id, id))
  const [row] = await (lock ? query.for('update', { of: staff }) : query)
  if (!row) return null
  const { person, ...role } = row
  return { ...person, ...role }
}

/**
 * The person with an email address, at whichever store. Lets the transaction see and create them.
 */
export const findAccount = async (db: TenantDb, emailLower: string): Promise<StaffRow | null> => {
  // A cluster passes settings of SET LOCAL alone on to its nodes.
  await db.$client.query(`SET LOCAL marquee.staff_email = ${pg.escapeLiteral(emailLower)}`)
  const [row] = await db.select().from(staff).where(eq(staff.emailLower, emailLower)).for('update')
  return row ?? null
}

/** Inserts a person whose email address `findAccount` has named. */
export const insertStaff = async (db: TenantDb, row: typeof staff.$inferInsert) => {
  await db.insert(staff).values(row)
}

/** Overwrites columns of a person. */
export const updateStaff = async (db: TenantDb, id: StaffId, values: Partial<typeof staff.$inferInsert>) => {
  await db.update(staff).set(values).where(eq(staff.id, id))
}

/** Adds a person to a store. Returns false if they belong to it already. */
export const insertMembership = async (db: TenantDb, row: typeof staffMemberships.$inferInsert): Promise<boolean> => {
  const inserted = await db
    .insert(staffMemberships)
    .values(row)
    .onConflictDoNothing()
    .returning({ staffId: staffMemberships.staffId })
  return inserted.length > 0
}

/** Changes the role of a person at a store. */
export const updateMembership = async (db: TenantDb, customerId: CustomerId, id: StaffId, role: StoredRole) => {
  await db
    .update(staffMemberships)
    .set(role)
    .where(and(eq(staffMemberships.customerId, customerId), eq(staffMemberships.staffId, id)))
}

/** Removes a person from a store, with their sessions there. */
export const deleteMembership = async (db: TenantDb, customerId: CustomerId, id: StaffId) => {
  await db
    .delete(staffMemberships)
    .where(and(eq(staffMemberships.customerId, customerId), eq(staffMemberships.staffId, id)))
}

/** The ids of a store's owners, whose rows are locked in order, so that one of them remains. */
export const lockOwners = async (db: TenantDb, customerId: CustomerId): Promise<StaffId[]> => {
  const rows = await db
    .select({ id: staffMemberships.staffId })
    .from(staffMemberships)
    .where(and(eq(staffMemberships.customerId, customerId), eq(staffMemberships.role, 'OWNER')))
    .orderBy(asc(staffMemberships.staffId))
    .for('update')
  return rows.map(({ id }) => id)
}

/** The people of a store by name, with their roles. */
export const readStaff = async (db: TenantDb, customerId: CustomerId) => {
  const lastSeenAt = sql<string | null>`(SELECT max(${staffSessions.lastSeenAt}) FROM ${staffSessions}
    WHERE ${staffSessions.customerId} = ${customerId} AND ${staffSessions.staffId} = ${staff.id})`.mapWith(
    staffSessions.lastSeenAt,
  )
  const rows = await db
    .select({
      id: staff.id,
      email: staff.email,
      name: staff.name,
      hasSecondFactor: sql<boolean>`(${staff.totpSecret} IS NOT NULL OR ${hasPasskey(customerId)})`,
      lastSeenAt,
      createdAt: staffMemberships.createdAt,
      role: staffMemberships.role,
      roleId: staffMemberships.roleId,
      roleName: staffRoles.name,
    })
    .from(staff)
    .innerJoin(staffMemberships, membership(customerId))
    .leftJoin(staffRoles, ownRole)
    .orderBy(asc(staff.name), asc(staff.emailLower))
  return rows
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
