import * as z from 'zod/mini'
import { domainList, domainPath, newDomain } from '../admin/domains.ts'
import { home } from '../admin/home.ts'
import { paymentAccountChange, paymentAccountChecked, paymentAccountPath, paymentAccounts } from '../admin/payments.ts'
import { storeSettings, storeSettingsChange } from '../admin/settings.ts'
import { previewTime, storeClose, storeMaintenance, storeOpen, storePreview, storeStatus } from '../admin/store.ts'
import { brandPictureProcedure } from './content.ts'
import { procedure } from './procedure.ts'

/** The first screen of the console. */
export const homeProcedure = procedure('operator', 'GET', '/admin/home', {
  tag: 'Admin: home',
  summary: 'Retrieve today’s figures and what waits',
  description:
    'Each part needs the permission to read what it counts, such as `orders:read` for the figures and `videos:read` for failed videos. A part without it is null.',
}).output(home)

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
    versioned: true,
    description:
      'Settings that are left out stay. Visitors see the change with their next request. `If-Match` is compared for the settings that the change names alone: two people who change different ones do not collide.',
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
    description:
      'Answers CONFLICT while the launch checklist has something missing. `data.missing` lists its codes. With `isTry` a store that only its own machine can reach opens without a domain, a payment provider and a mail server, and is closed again once visitors reach it at a first public domain (`tryState`).',
  })
    .input(z.optional(storeOpen))
    .output(storeStatus),
  close: procedure('operator', 'POST', '/admin/store/close', {
    ...store,
    summary: 'Close the store to visitors',
    description:
      'Visitors read `texts` in their language, and `backAt`. `code` is the customer code, as a confirmation.',
  })
    .input(storeClose)
    .output(storeStatus),
  setMaintenance: procedure('operator', 'PUT', '/admin/store/maintenance', {
    ...store,
    summary: 'Change what visitors of the closed store read',
    description: 'Answers CONFLICT for a store that is open, or has never been. The text is forgotten when it opens.',
  })
    .input(storeMaintenance)
    .output(storeStatus),
  createPreview: procedure('operator', 'POST', '/admin/store/previews', {
    ...store,
    permission: 'settings:read',
    summary: 'Create a link that shows the store before it opens, or as it will be',
    description:
      'Anyone with the link sees the store for 7 days, drafts included. With `at` they see what visitors will see at that time, and cannot change anything.',
    status: 201,
  })
    .input(z.optional(previewTime))
    .output(storePreview),
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
    versioned: true,
    description:
      'Earlier payments are still queried and refunded at the account that took them. Answers VALIDATION_FAILED with the names of what is missing.',
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
