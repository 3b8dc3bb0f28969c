import type { Permission } from '#contract/permissions.ts'

/** What shows the pages on which a permission to change something is used. */
const shownBy: Readonly<Partial<Record<Permission, Permission>>> = {
  'comments:write': 'comments:read',
  'content:write': 'content:read',
  'deposits:write': 'orders:read',
  'inquiries:write': 'inquiries:read',
  'mails:write': 'mails:read',
  'members:write': 'members:read',
  'orders:write': 'orders:read',
  'payments:write': 'settings:read',
  'products:write': 'products:read',
  'refunds:write': 'orders:read',
  'settings:write': 'settings:read',
  'staff:write': 'staff:read',
  'store:write': 'settings:read',
  'stores:write': 'stores:read',
  'videos:write': 'videos:read',
  'webhooks:write': 'webhooks:read',
}

/**
 * The permissions of a role after somebody has changed the choice: with what shows the pages of
 * each, and without those whose pages are no longer to be seen.
 */
export const usablePermissions = (before: readonly Permission[], chosen: readonly Permission[]): Permission[] => {
  const removed = before.filter((each) => !chosen.includes(each))
  const usable = chosen.filter((each) => !removed.some((one) => one === shownBy[each]))
  return [...new Set([...usable, ...usable.flatMap((each) => shownBy[each] ?? [])])]
}
