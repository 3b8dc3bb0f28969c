import { useLingui } from '@lingui/react'
import { useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { staffRoleId } from '#contract/ids.ts'
import { staffRole } from '#contract/permissions.ts'
import type { GrantedRole, StaffPerson } from '#contract/staff.ts'
import { useApi } from '../../platform/client'
import { roleLabels } from '../../ui/role-labels'
import { rolesQuery } from './staff.queries'

/** Names the role of a person: a built-in one in the console's language, or one of the store. */
export const useRoleName = () => {
  const { i18n } = useLingui()
  return ({ role, roleName }: Pick<StaffPerson, 'role' | 'roleName'>): string =>
    role ? i18n._(roleLabels[role]) : (roleName ?? '')
}

/** The roles to choose from, as they load; the value of each is its name or its id. */
export const useRoleOptions = () => {
  const roleName = useRoleName()
  const query = useQuery(rolesQuery(useApi()))
  const optionsOf = ({ items }: NonNullable<typeof query.data>) =>
    items.map(({ role, id, name }) => ({ value: role ?? id ?? '', label: roleName({ role, roleName: name }) }))
  return { query, optionsOf }
}

/**
 * The role that a value of `useRoleOptions` stands for.
 *
 * @throws {Error} for another value, which no field offers
 */
export const grantOf = (value: string): GrantedRole => {
  const { data: role } = staffRole.safeParse(value)
  return role ? { role } : { roleId: z.parse(staffRoleId, value) }
}
