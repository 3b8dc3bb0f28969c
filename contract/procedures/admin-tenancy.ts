import { domainList, domainPath, newDomain } from '../admin/domains.ts'
import { paymentAccountChange, paymentAccountChecked, paymentAccountPath, paymentAccounts } from '../admin/payments.ts'
import { storeSettings, storeSettingsChange } from '../admin/settings.ts'
import { storeClose, storePreview, storeStatus } from '../admin/store.ts'
import {
  managedStore,
  newStore,
  storeHosts,
  storeInvited,
  storeOwnerInvite,
  storePage,
  storePath,
  storeSuspend,
  storesQuery,
} from '../admin/stores.ts'
import { brandPictureProcedure } from './content.ts'
import { procedure } from './procedure.ts'

export const settingsProcedures = {
  read: procedure('operator', 'GET', '/admin/settings', {
    tag: 'Admin: settings',
    permission: 'settings:read',
    summary: 'Retrieve the settings of the store',
  }).output(storeSettings),
  update: procedure('operator', 'PATCH', '/admin/settings', {
    tag: 'Admin: settings',
    permission: 'settings:write',
    summary: 'Change settings of the store',
    description: 'Needs `If-Match`. Settings that are left out stay. Visitors see the change with their next request.',
  })
    .input(storeSettingsChange)
    .output(storeSettings),
  setPicture: brandPictureProcedure,
}

const store = { tag: 'Admin: store', permission: 'store:write' } as const

export const storeProcedures = {
  read: procedure('operator', 'GET', '/admin/store', {
    ...store,
    permission: 'settings:read',
    summary: 'Retrieve the state of the store and its launch checklist',
  }).output(storeStatus),
  open: procedure('operator', 'POST', '/admin/store/open', {
    ...store,
    summary: 'Open the store to visitors',
    description: 'Answers CONFLICT while the launch checklist has something missing. `data.missing` lists its codes.',
  }).output(storeStatus),
  close: procedure('operator', 'POST', '/admin/store/close', {
    ...store,
    summary: 'Close the store to visitors',
    description: 'Visitors see a coming-soon page. `code` is the customer code, as a confirmation.',
  })
    .input(storeClose)
    .output(storeStatus),
  createPreview: procedure('operator', 'POST', '/admin/store/previews', {
    ...store,
    permission: 'settings:read',
    summary: 'Create a link that shows the store before it opens',
    description: 'Anyone with the link sees the store for 7 days.',
    status: 201,
  }).output(storePreview),
}

const domains = { tag: 'Admin: domains', permission: 'store:write' } as const

export const domainProcedures = {
  list: procedure('operator', 'GET', '/admin/domains', {
    ...domains,
    permission: 'settings:read',
    summary: 'List the domains of the store',
    description: 'Each has its state and the DNS records that it still needs.',
  }).output(domainList),
  add: procedure('operator', 'POST', '/admin/domains', {
    ...domains,
    summary: 'Add a domain',
    description: 'The store is shown there once the DNS has the TXT record that proves that the domain is yours.',
    status: 201,
  })
    .input(newDomain)
    .output(domainList),
  check: procedure('operator', 'POST', '/admin/domains/{host}/check', {
    ...domains,
    summary: 'Check the DNS of a domain now',
  })
    .input(domainPath)
    .output(domainList),
  setMain: procedure('operator', 'PUT', '/admin/domains/{host}/main', {
    ...domains,
    summary: 'Make a domain the main one',
    description:
      'Canonical links, the sitemap and emails have its address. Answers CONFLICT for a domain that is not verified.',
  })
    .input(domainPath)
    .output(domainList),
  remove: procedure('operator', 'DELETE', '/admin/domains/{host}', {
    ...domains,
    summary: 'Remove a domain',
    description: 'The store is no longer shown there. The last domain at which it is shown cannot be removed.',
    status: 200,
  })
    .input(domainPath)
    .output(domainList),
}

const payments = { tag: 'Admin: payments', permission: 'payments:write' } as const

export const paymentAccountProcedures = {
  read: procedure('operator', 'GET', '/admin/payment-accounts', {
    ...payments,
    permission: 'settings:read',
    summary: 'Retrieve the accounts at payment providers',
    description: 'Secrets are not returned.',
  }).output(paymentAccounts),
  choose: procedure('operator', 'PUT', '/admin/payment-accounts', {
    ...payments,
    summary: 'Set the account that takes new payments',
    description:
      'Needs `If-Match`. Earlier payments are still queried and refunded at the account that took them. Answers VALIDATION_FAILED with the names of what is missing.',
  })
    .input(paymentAccountChange)
    .output(paymentAccounts),
  check: procedure('operator', 'POST', '/admin/payment-accounts/{provider}/check', {
    ...payments,
    summary: 'Ask a payment provider whether it accepts the account',
    description: 'Nothing is charged or changed.',
  })
    .input(paymentAccountPath)
    .output(paymentAccountChecked),
}

const readStores = { tag: 'Admin: stores', permission: 'stores:read' } as const
const writeStores = { tag: 'Admin: stores', permission: 'stores:write' } as const

/** The stores of the installation. Only its own staff has the permissions. */
export const managedStoreProcedures = {
  list: procedure('operator', 'GET', '/admin/stores', {
    ...readStores,
    summary: 'List the stores of the installation',
    description: 'The newest first. Only for the installation’s staff.',
  })
    .input(storesQuery)
    .output(storePage),
  create: procedure('operator', 'POST', '/admin/stores', {
    ...writeStores,
    summary: 'Create a store and invite its owner',
    description:
      'The store is closed until its owner opens it. Answers VALIDATION_FAILED for a code or host that another store has.',
    status: 201,
  })
    .input(newStore)
    .output(storeInvited),
  get: procedure('operator', 'GET', '/admin/stores/{code}', { ...readStores, summary: 'Retrieve a store' })
    .input(storePath)
    .output(managedStore),
  suspend: procedure('operator', 'POST', '/admin/stores/{code}/suspend', {
    ...writeStores,
    summary: 'Take a store offline',
    description: 'Needs `If-Match`. `confirmation` is the customer code. Answers CONFLICT for a store that is offline.',
  })
    .input(storeSuspend)
    .output(managedStore),
  resume: procedure('operator', 'POST', '/admin/stores/{code}/resume', {
    ...writeStores,
    summary: 'Bring a store back',
    description: 'Needs `If-Match`. A store that was not open before stays closed until its owner opens it.',
  })
    .input(storePath)
    .output(managedStore),
  setHosts: procedure('operator', 'PUT', '/admin/stores/{code}/hosts', {
    ...writeStores,
    summary: 'Set the hosts of a store',
    description: 'Needs `If-Match`. They need no proof in the DNS. Those that are left out are removed.',
  })
    .input(storeHosts)
    .output(managedStore),
  inviteOwner: procedure('operator', 'POST', '/admin/stores/{code}/invitations', {
    ...writeStores,
    summary: 'Invite an owner of a store',
    description: 'For a store whose owners have lost their access.',
    status: 201,
  })
    .input(storeOwnerInvite)
    .output(storeInvited),
}
