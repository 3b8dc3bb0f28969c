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
  'stores:read',
  'stores:write',
  'videos:read',
  'videos:write',
  'webhooks:read',
  'webhooks:write',
])
export type Permission = z.output<typeof permission>

/** The roles that every store has. A store can also define roles of its own. */
export const staffRole = z.enum(['OWNER', 'MANAGER', 'CATALOG', 'SUPPORT', 'FINANCE', 'ANALYST'])
export type StaffRole = z.output<typeof staffRole>

/** What the staff of the installation may do: decide which stores there are, nothing within one. */
const installationPermissions: readonly Permission[] = [
  'audit:read',
  'mails:read',
  'mails:write',
  'staff:read',
  'staff:write',
  'stores:read',
  'stores:write',
]

/** What the staff and the programs of a store can be permitted. */
export const storePermissions: readonly Permission[] = permission.options.filter(
  (each) => each !== 'stores:read' && each !== 'stores:write',
)

const ownerOnly: readonly Permission[] = ['payments:write', 'staff:write', 'store:write']

type RolePermissions = Readonly<Record<StaffRole, readonly Permission[]>>

/** The permissions of each role at a store. */
export const rolePermissions: RolePermissions = {
  OWNER: storePermissions,
  MANAGER: storePermissions.filter((each) => !ownerOnly.includes(each)),
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

/** The permissions of each role at the installation. */
const installationRoles: RolePermissions = {
  OWNER: installationPermissions,
  MANAGER: installationPermissions.filter((each) => !ownerOnly.includes(each)),
  CATALOG: ['stores:read'],
  SUPPORT: ['mails:read', 'mails:write', 'stores:read'],
  FINANCE: ['audit:read', 'stores:read'],
  ANALYST: ['stores:read'],
}

interface Place {
  /** Whether it is the installation itself, not one of its stores. */
  isInstallation: boolean
}

/** All that can be permitted at a store or at the installation. */
export const permissionsAt = ({ isInstallation }: Place): readonly Permission[] =>
  isInstallation ? installationPermissions : storePermissions

/** The permissions of each role at a store or at the installation. */
export const rolesAt = ({ isInstallation }: Place): RolePermissions =>
  isInstallation ? installationRoles : rolePermissions

/**
 * Permissions that move money or give rights to others. A person needs a session that was confirmed
 * with a second factor. The scopes of a token need none.
 */
export const secondFactorPermissions: readonly Permission[] = [
  'deposits:write',
  'payments:write',
  'refunds:write',
  'staff:write',
  'stores:write',
]

/** Changes of all objects that fit filters, each with the permission that it needs. */
export const bulkPermissions = {
  PRODUCTS: 'products:write',
  MEMBER_TAGS: 'members:write',
  PARTNERSHIPS: 'members:write',
  INQUIRIES: 'inquiries:write',
  MAILS: 'mails:write',
} as const satisfies Record<string, Permission>
