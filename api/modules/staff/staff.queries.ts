import { and, asc, eq, sql } from 'drizzle-orm'
import pg from 'pg'
import type { TenantDb } from '#api/platform/db/client.ts'
import { patternWithin, withoutTexts } from '#api/platform/text.ts'
import type { CustomerId, SavedViewId, StaffId, StaffRoleId } from '#contract/ids.ts'
import type { Permission, StaffRole } from '#contract/permissions.ts'
import { staff, staffInvitations, staffMemberships, staffPasskeys, staffRoles, staffSessions } from './staff.schema.ts'

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

/** A store's own roles by name, with how many people have each. */
export const readRoles = (db: TenantDb, customerId: CustomerId) =>
  db
    .select({
      id: staffRoles.id,
      name: staffRoles.name,
      permissions: staffRoles.permissions,
      people: sql<number>`(SELECT count(*)::int FROM ${staffMemberships}
        WHERE ${staffMemberships.customerId} = ${customerId} AND ${staffMemberships.roleId} = ${staffRoles.id})`,
    })
    .from(staffRoles)
    .where(eq(staffRoles.customerId, customerId))
    .orderBy(asc(staffRoles.name))

/** How many people have each built-in role. */
export const countBuiltInRoles = (db: TenantDb, customerId: CustomerId) =>
  db
    .select({ role: staffMemberships.role, people: sql<number>`count(*)::int` })
    .from(staffMemberships)
    .where(eq(staffMemberships.customerId, customerId))
    .groupBy(staffMemberships.role)

/** A role of the store's own; null without one. Locks it until the transaction ends. */
export const lockRole = async (db: TenantDb, customerId: CustomerId, id: StaffRoleId) => {
  const [row] = await db
    .select()
    .from(staffRoles)
    .where(and(eq(staffRoles.customerId, customerId), eq(staffRoles.id, id)))
    .for('update')
  return row ?? null
}

/** Inserts a role. Returns false if the store has one of this name. */
export const insertRole = async (db: TenantDb, row: typeof staffRoles.$inferInsert): Promise<boolean> => {
  const inserted = await db.insert(staffRoles).values(row).onConflictDoNothing().returning({ id: staffRoles.id })
  return inserted.length > 0
}

/** The id of the role with a name; null without one. */
export const findRoleNamed = async (db: TenantDb, customerId: CustomerId, name: string) => {
  const [row] = await db
    .select({ id: staffRoles.id })
    .from(staffRoles)
    .where(and(eq(staffRoles.customerId, customerId), eq(sql`lower(${staffRoles.name})`, name.toLowerCase())))
  return row?.id ?? null
}

/** Overwrites a role. */
export const updateRole = async (
  db: TenantDb,
  customerId: CustomerId,
  id: StaffRoleId,
  values: { name: string; permissions: Permission[] },
) => {
  await db
    .update(staffRoles)
    .set(values)
    .where(and(eq(staffRoles.customerId, customerId), eq(staffRoles.id, id)))
}

/** Deletes a role that nobody has, with the closed invitations that granted it. */
export const deleteRoleRow = async (db: TenantDb, customerId: CustomerId, id: StaffRoleId) => {
  await db
    .delete(staffInvitations)
    .where(and(eq(staffInvitations.customerId, customerId), eq(staffInvitations.roleId, id)))
  await db.delete(staffRoles).where(and(eq(staffRoles.customerId, customerId), eq(staffRoles.id, id)))
}

/** Erases texts from the names of saved views. Those of a person and a list stay different. */
export const rewriteViewNames = async (db: TenantDb, customerId: CustomerId, texts: readonly string[]) => {
  const { rows } = await db.$client.query<{ id: SavedViewId; staffId: StaffId | null; list: string; name: string }>(
    `SELECT id, staff_id AS "staffId", list, name FROM saved_views
      WHERE customer_id = $1 AND lower(name) LIKE ANY ($2::text[]) ORDER BY id`,
    [customerId, texts.map(patternWithin)],
  )
  for (const { id, staffId, list, name } of rows) {
    const rest = withoutTexts(name, texts)
    if (rest === name) continue
    const { rows: views } = await db.$client.query<{ name: string }>(
      `SELECT lower(name) AS name FROM saved_views
        WHERE customer_id = $1 AND staff_id IS NOT DISTINCT FROM $2::uuid AND list = $3 ORDER BY id FOR UPDATE`,
      [customerId, staffId, list],
    )
    const taken = new Set(views.map((view) => view.name))
    let free = rest
    for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${rest} ${number}`
    await db.$client.query('UPDATE saved_views SET name = $3 WHERE customer_id = $1 AND id = $2', [
      ...[customerId, id, free],
    ])
  }
}
