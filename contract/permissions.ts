import * as z from 'zod/mini'

/**
 * What a caller of operator procedures may do. Each procedure names the permission that it needs. A
 * role grants permissions to a person, and the scopes of an operator token grant them to a program.
 */
export const permission = z.enum([
  'analytics:read',
  'audit:read',
  'comments:read',
  'comments:write',
  'content:read',
  'content:write',
  'deposits:write',
  'inquiries:read',
  'inquiries:write',
  'mails:read',
  'mails:write',
  'members:read',
  'members:write',
  'orders:read',
  'orders:write',
  'payments:write',
  'products:read',
  'products:write',
  'refunds:write',
  'settings:read',
  'settings:write',
  'staff:read',
  'staff:write',
  'store:write',
  'videos:read',
  'videos:write',
  'webhooks:read',
  'webhooks:write',
])
export type Permission = z.output<typeof permission>

/** The roles that every store has. A store can also define roles of its own. */
export const staffRole = z.enum(['OWNER', 'MANAGER', 'CATALOG', 'SUPPORT', 'FINANCE', 'ANALYST'])
export type StaffRole = z.output<typeof staffRole>

const ownerOnly: readonly Permission[] = ['payments:write', 'staff:write', 'store:write']

/** The permissions of each role. */
export const rolePermissions: Readonly<Record<StaffRole, readonly Permission[]>> = {
  OWNER: permission.options,
  MANAGER: permission.options.filter((each) => !ownerOnly.includes(each)),
  CATALOG: [
    'analytics:read',
    'content:read',
    'content:write',
    'products:read',
    'products:write',
    'videos:read',
    'videos:write',
  ],
  SUPPORT: [
    'comments:read',
    'comments:write',
    'inquiries:read',
    'inquiries:write',
    'mails:read',
    'mails:write',
    'members:read',
    'members:write',
    'orders:read',
    'orders:write',
    'products:read',
  ],
  FINANCE: [
    'analytics:read',
    'audit:read',
    'deposits:write',
    'members:read',
    'orders:read',
    'orders:write',
    'refunds:write',
  ],
  ANALYST: ['analytics:read', 'orders:read', 'products:read'],
}

/**
 * Permissions that move money or give rights to others. A person needs a session that was confirmed
 * with a second factor. The scopes of a token need none.
 */
export const secondFactorPermissions: readonly Permission[] = [
  'deposits:write',
  'payments:write',
  'refunds:write',
  'staff:write',
]
