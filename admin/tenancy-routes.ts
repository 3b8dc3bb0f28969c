import { createRoute } from '@tanstack/react-router'
import { customerCode } from '#contract/ids.ts'
import { parseStoresSearch } from './features/tenancy/stores.search'
import { page, pathValue, root } from './root-route'

const store = createRoute({
  getParentRoute: () => root,
  path: '/store',
  component: page(() => import('./features/tenancy/store-page'), 'StorePage'),
})

const domains = createRoute({
  getParentRoute: () => root,
  path: '/store/domains',
  component: page(() => import('./features/tenancy/domains-page'), 'DomainsPage'),
})

const payments = createRoute({
  getParentRoute: () => root,
  path: '/store/payments',
  component: page(() => import('./features/tenancy/payments-page'), 'PaymentsPage'),
})

const mailServer = createRoute({
  getParentRoute: () => root,
  path: '/store/mail-server',
  component: page(() => import('./features/tenancy/mail-server-page'), 'MailServerPage'),
})

const stores = createRoute({
  getParentRoute: () => root,
  path: '/stores',
  validateSearch: parseStoresSearch,
  component: page(() => import('./features/tenancy/store-list'), 'StoreList'),
})

const newStore = createRoute({
  getParentRoute: () => root,
  path: '/stores/new',
  component: page(() => import('./features/tenancy/new-store'), 'NewStore'),
})

const managedStore = createRoute({
  getParentRoute: () => root,
  path: '/stores/$code',
  params: { parse: ({ code }) => ({ code: pathValue(customerCode, code) }) },
  component: page(() => import('./features/tenancy/managed-store'), 'ManagedStorePage'),
})

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: page(() => import('./features/tenancy/settings-page'), 'SettingsPage'),
})

const people = createRoute({
  getParentRoute: () => root,
  path: '/staff',
  component: page(() => import('./features/staff/people'), 'People'),
})

const roles = createRoute({
  getParentRoute: () => root,
  path: '/staff/roles',
  component: page(() => import('./features/staff/roles'), 'Roles'),
})

const tokens = createRoute({
  getParentRoute: () => root,
  path: '/staff/tokens',
  component: page(() => import('./features/staff/tokens'), 'Tokens'),
})

/** The store with its settings, and the stores of the installation. */
export const tenancyRoutes = [
  people,
  roles,
  tokens,
  store,
  domains,
  payments,
  mailServer,
  stores,
  newStore,
  managedStore,
  settings,
] as const
