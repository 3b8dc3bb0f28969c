import { and, asc, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { CustomerId, StaffInvitationId, StaffRoleId } from '#contract/ids.ts'
import type { Permission } from '#contract/permissions.ts'
import { staffInvitations, staffMemberships, staffRoles } from './staff.schema.ts'

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

/** Deletes a role that nobody has, with the invitations that granted it. */
export const deleteRoleRow = async (db: TenantDb, customerId: CustomerId, id: StaffRoleId) => {
  await db
    .delete(staffInvitations)
    .where(and(eq(staffInvitations.customerId, customerId), eq(staffInvitations.roleId, id)))
  await db.delete(staffRoles).where(and(eq(staffRoles.customerId, customerId), eq(staffRoles.id, id)))
}
