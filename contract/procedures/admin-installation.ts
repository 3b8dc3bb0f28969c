import { listCount } from '../admin/lists.ts'
import {
  managedStore,
  newStore,
  storeHosts,
  storeInvited,
  storeOwnerInvite,
  storePage,
  storePath,
  storeSuspend,
  storesCount,
  storesQuery,
} from '../admin/stores.ts'
import { countProcedure, procedure } from './procedure.ts'

const read = { tag: 'Admin: stores', permission: 'stores:read' } as const
const write = { tag: 'Admin: stores', permission: 'stores:write' } as const

/** The stores of the installation. Only its own staff has the permissions. */
export const managedStoreProcedures = {
  list: procedure('operator', 'GET', '/admin/stores', {
    ...read,
    summary: 'List the stores of the installation',
    description: 'The newest first. Only for the installation’s staff.',
  })
    .input(storesQuery)
    .output(storePage),
  count: countProcedure('stores', 'stores:read').input(storesCount).output(listCount),
  create: procedure('operator', 'POST', '/admin/stores', {
    ...write,
    summary: 'Create a store and invite its owner',
    description:
      'The store is closed until its owner opens it. Answers VALIDATION_FAILED for a code or host that another store has.',
    status: 201,
  })
    .input(newStore)
    .output(storeInvited),
  get: procedure('operator', 'GET', '/admin/stores/{code}', { ...read, summary: 'Retrieve a store' })
    .input(storePath)
    .output(managedStore),
  suspend: procedure('operator', 'POST', '/admin/stores/{code}/suspend', {
    ...write,
    summary: 'Take a store offline',
    versioned: true,
    description: '`confirmation` is the customer code. Answers CONFLICT for a store that is offline.',
  })
    .input(storeSuspend)
    .output(managedStore),
  resume: procedure('operator', 'POST', '/admin/stores/{code}/resume', {
    ...write,
    summary: 'Bring a store back',
    versioned: true,
    description: 'A store that was not open before stays closed until its owner opens it.',
  })
    .input(storePath)
    .output(managedStore),
  setHosts: procedure('operator', 'PUT', '/admin/stores/{code}/hosts', {
    ...write,
    summary: 'Set the hosts of a store',
    versioned: true,
    description: 'They need no proof in the DNS. Those that are left out are removed.',
  })
    .input(storeHosts)
    .output(managedStore),
  inviteOwner: procedure('operator', 'POST', '/admin/stores/{code}/invitations', {
    ...write,
    summary: 'Invite an owner of a store',
    description: 'For a store whose owners have lost their access.',
    status: 201,
  })
    .input(storeOwnerInvite)
    .output(storeInvited),
}
