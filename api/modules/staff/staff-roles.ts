import { canSendMail } from '#api/modules/mail/send-mails.queries.ts'
import { type AuditActor, audit, changesOf, refuseOldVersion, versionOf } from '#api/platform/audit.ts'
import {
  type Ctx,
  type Customer,
  type Failure,
  failure,
  invalidField,
  isFailure,
  type StaffOperator,
} from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { emit } from '#api/platform/events.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { type StaffId, type StaffRoleId, staffId } from '#contract/ids.ts'
import { type Permission, permissionsAt, rolesAt, staffRole } from '#contract/permissions.ts'
import type { CurrentStaff, GrantedRole, RoleListing, StaffPerson } from '#contract/staff.ts'
import {
  countBuiltInRoles,
  deleteMembership,
  deleteRoleRow,
  findRoleNamed,
  findStaff,
  insertRole,
  lockOwners,
  lockRole,
  readRoles,
  readStaff,
  type StoredRole,
  updateMembership,
  updateRole,
} from './staff.queries.ts'
import { readInvitations, releaseViews } from './staff-access.queries.ts'

/** Who gives rights to others: at most those that they have. */
export interface Grantor {
  by: AuditActor
  permissions: readonly Permission[]
}

/** The permissions of a built-in role at a store, or those that the store gave its own role. */
export const permissionsOf = (
  store: Pick<Customer, 'isInstallation'>,
  { role, permissions }: { role: StoredRole['role']; permissions: Permission[] | null },
): readonly Permission[] =>
  role ? rolesAt(store)[role] : (permissions ?? []).filter((each) => permissionsAt(store).includes(each))

/** The permissions of a person at the store; none once they have left it. */
export const permissionsOfStaff = async ({ db, customer }: Ctx, id: string): Promise<readonly Permission[]> => {
  const person = await findStaff(db, customer.id, staffId.parse(id))
  return person ? permissionsOf(customer, person) : []
}

/**
 * Returns the failure of a grant that would give more rights than the grantor has, or null.
 * Failure: FORBIDDEN with the missing permissions.
 */
export const refuseGrant = (
  { permissions }: Pick<Grantor, 'permissions'>,
  granted: readonly Permission[],
): Failure | null => {
  const missing = granted.filter((each) => !permissions.includes(each))
  return missing.length > 0 ? failure('FORBIDDEN', { data: { missing } }) : null
}

/**
 * Resolves the role that is granted. Failures: VALIDATION_FAILED for a role that the store does not
 * have, FORBIDDEN where it has more permissions than the grantor.
 */
export const resolveGrant = async (
  { db, customer, locale }: Ctx,
  grantor: Grantor,
  grant: GrantedRole,
): Promise<(StoredRole & { name: string }) | Failure> => {
  if ('role' in grant) {
    const { role } = grant
    return refuseGrant(grantor, rolesAt(customer)[role]) ?? { role, roleId: null, name: role }
  }
  const grantedRole = await lockRole(db, customer.id, grant.roleId)
  const i18n = messagesOf(locale)
  if (!grantedRole) return invalidField('grant', i18n._('Choose a role of this store.'))
  return refuseGrant(grantor, grantedRole.permissions) ?? { role: null, roleId: grantedRole.id, name: grantedRole.name }
}

const versionOfRole = ({ name, permissions }: RoleFields) => versionOf([name, permissions])

/** All roles with their permissions: the built-in ones, then the store's own by name. */
export const listRoles = async ({ db, customer }: Ctx): Promise<RoleListing[]> => {
  const counts = await countBuiltInRoles(db, customer.id)
  const ownRoles = await readRoles(db, customer.id)
  const builtIn = staffRole.options.map((role) => ({
    role,
    id: null,
    name: role,
    permissions: [...rolesAt(customer)[role]],
    people: counts.find((row) => row.role === role)?.people ?? 0,
    version: null,
  }))
  return [...builtIn, ...ownRoles.map((row) => ({ role: null, ...row, version: versionOfRole(row) }))]
}

const nameTaken = ({ locale }: Ctx, name: string) => {
  const i18n = messagesOf(locale)
  const text = i18n._('A role named {name} already exists. Choose another name.', { name })
  return failure('CONFLICT', { errors: { name: [text] } })
}

interface RoleFields {
  name: string
  permissions: readonly Permission[]
}

/** Creates a role. Failures: FORBIDDEN (see `refuseGrant`), CONFLICT for a name that is taken. */
export const createRole = async (
  ctx: Ctx,
  grantor: Grantor,
  { name, permissions: requested }: RoleFields,
): Promise<RoleListing | Failure> => {
  const refused = refuseGrant(grantor, requested)
  if (refused) return refused
  const id = newId<StaffRoleId>()
  const permissions = [...new Set(requested)]
  const row = { customerId: ctx.customer.id, id, name, permissions, createdAt: ctx.clock.now().toISOString() }
  if (!(await insertRole(ctx.db, row))) return nameTaken(ctx, name)
  await audit(ctx, {
    actor: grantor.by,
    action: 'staff-role.created',
    subject: `staff-role:${id}`,
    changes: changesOf({}, { name, permissions }),
  })
  return { role: null, id, name, permissions, people: 0, version: versionOfRole({ name, permissions }) }
}

/**
 * Changes a role, as the caller saw it, and so the rights of those who have it: `expected` is the
 * value of `If-Match`. Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT, FORBIDDEN where it
 * had or would have more permissions than the grantor, CONFLICT for a name that is taken.
 */
export const changeRole = async (
  ctx: Ctx,
  grantor: Grantor,
  expected: string | null,
  { id, name, permissions: requested }: RoleFields & { id: StaffRoleId },
): Promise<Failure | undefined> => {
  const before = await lockRole(ctx.db, ctx.customer.id, id)
  if (!before) return failure('NOT_FOUND')
  const subject = `staff-role:${id}`
  const changed = await refuseOldVersion(ctx, { expected, version: versionOfRole(before), subject })
  if (changed) return changed
  const permissions = [...new Set(requested)]
  const refused = refuseGrant(grantor, [...before.permissions, ...permissions])
  if (refused) return refused
  const named = await findRoleNamed(ctx.db, ctx.customer.id, name)
  if (named && named !== id) return nameTaken(ctx, name)
  await updateRole(ctx.db, ctx.customer.id, id, { name, permissions })
  const changes = changesOf({ name: before.name, permissions: before.permissions }, { name, permissions })
  if (Object.keys(changes).length > 0)
    await audit(ctx, { actor: grantor.by, action: 'staff-role.changed', subject, changes })
  return undefined
}

/** Deletes a role. Failures: NOT_FOUND, CONFLICT while somebody has it or is invited to it. */
export const deleteRole = async (ctx: Ctx, by: AuditActor, id: StaffRoleId): Promise<Failure | undefined> => {
  const before = await lockRole(ctx.db, ctx.customer.id, id)
  if (!before) return failure('NOT_FOUND')
  const { people = 0 } = (await readRoles(ctx.db, ctx.customer.id)).find((role) => role.id === id) ?? {}
  const i18n = messagesOf(ctx.locale)
  if (people > 0) return failure('CONFLICT', { errors: { id: [i18n._('Give its people another role first.')] } })
  const invited = (await readInvitations(ctx.db, ctx.customer.id, ctx.clock.now())).find(({ roleId }) => roleId === id)
  if (invited) {
    const text = i18n._('{email} is invited with this role. Revoke the invitation first.', { email: invited.email })
    return failure('CONFLICT', { errors: { id: [text] } })
  }
  await deleteRoleRow(ctx.db, ctx.customer.id, id)
  const { name, permissions } = before
  const changes = changesOf({ name, permissions }, {})
  await audit(ctx, { actor: by, action: 'staff-role.deleted', subject: `staff-role:${id}`, changes })
  return undefined
}

/** The people of the store, by name. */
export const listStaff = async ({ db, customer }: Ctx): Promise<StaffPerson[]> =>
  (await readStaff(db, customer.id)).map((person) => ({ ...person, version: versionOfRights(person) }))

/** The signed-in person with their permissions. Failure: SESSION_EXPIRED. */
export const getCurrentStaff = async (
  { db, customer }: Ctx,
  operator: StaffOperator,
  { needsSecondFactor, mailer }: { needsSecondFactor: boolean; mailer: object | null },
): Promise<CurrentStaff | Failure> => {
  const person = await findStaff(db, customer.id, operator.id)
  if (!person) return failure('SESSION_EXPIRED')
  const { id, email, name, locale, role, roleId, roleName, totpSecret, hasPasskey, recoveryCodes } = person
  return {
    id,
    email,
    name,
    locale,
    customerCode: customer.code,
    isInstallation: customer.isInstallation,
    role,
    roleId,
    roleName,
    permissions: [...operator.permissions],
    sendsMail: await canSendMail(db, customer.id, mailer !== null),
    secondFactor: {
      isSetUp: totpSecret !== null,
      hasPasskey,
      isConfirmed: operator.secondFactor === 'CONFIRMED',
      isRequired: needsSecondFactor,
      recoveryCodesLeft: recoveryCodes.length,
    },
  }
}

/** Locks the owners first, so that of two owners who remove each other one remains. */
const findToChange = async ({ db, customer }: Ctx, grantor: Grantor, id: StaffId, remainsOwner: boolean) => {
  const owners = await lockOwners(db, customer.id)
  const person = await findStaff(db, customer.id, id)
  if (!person) return failure('NOT_FOUND')
  if (!remainsOwner && owners.length === 1 && owners[0] === id) return failure('LAST_OWNER')
  // Who has fewer rights than a person does not decide about them.
  return refuseGrant(grantor, permissionsOf(customer, person)) ?? person
}

/** What a change of a person's rights must have seen. */
const versionOfRights = ({ role, roleId }: Pick<StaffPerson, 'role' | 'roleId'>) => versionOf([role, roleId])

const nameOf = ({ role, roleName }: { role: string | null; roleName: string | null }) => roleName ?? role

/**
 * Gives a person another role, as the caller saw the present one: `expected` is the value of
 * `If-Match`. Failures: NOT_FOUND, LAST_OWNER, VERSION_MISSING, VERSION_CONFLICT, VALIDATION_FAILED
 * for an unknown role, FORBIDDEN where the old or the new role has more permissions than the
 * grantor.
 */
export const changeStaffRole = async (
  ctx: Ctx,
  grantor: Grantor,
  expected: string | null,
  { id, grant }: { id: StaffId; grant: GrantedRole },
): Promise<Failure | undefined> => {
  const role = await resolveGrant(ctx, grantor, grant)
  if (isFailure(role)) return role
  const person = await findToChange(ctx, grantor, id, role.role === 'OWNER')
  if (isFailure(person)) return person
  const subject = `staff:${id}`
  const changed = await refuseOldVersion(ctx, { expected, version: versionOfRights(person), subject })
  if (changed) return changed
  await updateMembership(ctx.db, ctx.customer.id, id, { role: role.role, roleId: role.roleId })
  const changes = changesOf({ role: nameOf(person) }, { role: role.name })
  const detail = { email: person.email }
  await audit(ctx, { actor: grantor.by, action: 'staff.role-changed', subject, changes, detail })
  return undefined
}

/**
 * Removes a person from the store and ends their sessions there. Failures: NOT_FOUND, LAST_OWNER,
 * FORBIDDEN where the person has more permissions than the grantor.
 */
export const removeStaff = async (ctx: Ctx, grantor: Grantor, id: StaffId): Promise<Failure | undefined> => {
  const person = await findToChange(ctx, grantor, id, false)
  if (isFailure(person)) return person
  await releaseViews(ctx.db, ctx.customer.id, id)
  await deleteMembership(ctx.db, ctx.customer.id, id)
  await emit(ctx, 'staffRemoved', { staffId: id })
  const changes = changesOf({ email: person.email, role: nameOf(person) }, {})
  await audit(ctx, { actor: grantor.by, action: 'staff.removed', subject: `staff:${id}`, changes })
  return undefined
}
