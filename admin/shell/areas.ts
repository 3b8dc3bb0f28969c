import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { LinkProps } from '@tanstack/react-router'
import { homePermissions } from '#contract/admin/home.ts'
import type { Permission } from '#contract/permissions.ts'
import type { IconName } from '~/ui/icon'

type Path = NonNullable<LinkProps['to']>

interface Requirement {
  to: Path
  permission: Permission
  /** Other permissions, each of which is enough. */
  or?: readonly Permission[]
  /** A permission whose holders have another page in its place. */
  unless?: Permission
}

interface Area extends Requirement {
  label: MessageDescriptor
  icon: IconName
}

/** Whether a person may open a page. */
export const mayOpen = (
  { permission, or = [], unless }: Omit<Requirement, 'to'>,
  may: (permission: Permission) => boolean,
): boolean => (may(permission) || or.some(may)) && !(unless && may(unless))

/** Who may see a list of a store may see its exports. */
const ofTables: readonly Permission[] = ['products:read', 'orders:read', 'members:read', 'inquiries:read']

/** The first screen shows each person what may be read. */
const ofHome: readonly Permission[] = Object.values(homePermissions)

/** The areas of the console in the order of the menu. Each is shown to those who may read it. */
export const areas: readonly Area[] = [
  { to: '/stores', label: msg`Stores`, icon: 'globe', permission: 'stores:read' },
  // The installation has its stores there.
  { to: '/', label: msg`Home`, icon: 'home', permission: 'orders:read', or: ofHome, unless: 'stores:read' },
  { to: '/analytics', label: msg`Analytics`, icon: 'eye', permission: 'analytics:read' },
  { to: '/orders', label: msg`Orders`, icon: 'receipt', permission: 'orders:read' },
  { to: '/deposits', label: msg`Deposits`, icon: 'bank', permission: 'orders:read' },
  { to: '/subscriptions', label: msg`Subscriptions`, icon: 'card', permission: 'orders:read' },
  { to: '/products', label: msg`Products`, icon: 'film', permission: 'products:read' },
  { to: '/categories', label: msg`Categories`, icon: 'grid', permission: 'products:read' },
  { to: '/plans', label: msg`Plans`, icon: 'sparkle', permission: 'products:read' },
  { to: '/videos', label: msg`Videos`, icon: 'play', permission: 'videos:read' },
  { to: '/jobs', label: msg`Jobs`, icon: 'retry', permission: 'videos:read', or: ofTables },
  { to: '/content', label: msg`Content`, icon: 'book', permission: 'content:read' },
  { to: '/members', label: msg`Members`, icon: 'user', permission: 'members:read' },
  { to: '/comments', label: msg`Comments`, icon: 'comment', permission: 'comments:read' },
  { to: '/inquiries', label: msg`Inquiries`, icon: 'bell', permission: 'inquiries:read' },
  { to: '/cases', label: msg`Cases`, icon: 'list', permission: 'inquiries:read' },
  { to: '/mails', label: msg`Emails`, icon: 'transcript', permission: 'mails:read' },
  { to: '/staff', label: msg`Staff`, icon: 'lock', permission: 'staff:read' },
  { to: '/store', label: msg`Store`, icon: 'globe', permission: 'settings:read' },
  { to: '/settings', label: msg`Settings`, icon: 'settings', permission: 'settings:read' },
  { to: '/webhooks', label: msg`Webhooks`, icon: 'external', permission: 'webhooks:read' },
  { to: '/audit', label: msg`Audit log`, icon: 'clock', permission: 'audit:read' },
]

/** Pages that are below no area, or that need another permission than their area. */
const otherPages: readonly Requirement[] = [
  { to: '/settlements', permission: 'orders:read' },
  { to: '/imports', permission: 'products:read' },
  { to: '/bulk-jobs', permission: 'products:read', or: ['members:read', 'inquiries:read', 'mails:read'] },
  { to: '/products/new', permission: 'products:write' },
  { to: '/plans/new', permission: 'products:write' },
  { to: '/content/notices/new', permission: 'content:write' },
  { to: '/content/faq/new', permission: 'content:write' },
  { to: '/content/pages/new', permission: 'content:write' },
  { to: '/content/banners/new', permission: 'content:write' },
  { to: '/content/home', permission: 'settings:read' },
  { to: '/content/menu', permission: 'settings:read' },
  { to: '/saved-replies', permission: 'inquiries:read' },
  { to: '/inquiry-topics', permission: 'inquiries:read' },
  { to: '/suppressed-addresses', permission: 'mails:read' },
  { to: '/stores/new', permission: 'stores:write' },
]

/** What opening a path needs. Undefined for pages that everybody may open, such as Home. */
export const requirementOf = (path: string): Requirement | undefined =>
  [...otherPages, ...areas].find(({ to }) => to !== '/' && `${path}/`.startsWith(`${to}/`))
