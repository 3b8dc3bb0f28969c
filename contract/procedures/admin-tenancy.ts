import { storeSettings, storeSettingsChange } from '../admin/settings.ts'
import { storeClose, storePreview, storeStatus } from '../admin/store.ts'
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
