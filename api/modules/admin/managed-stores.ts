import { inviteStaff, listInvitations } from '#api/modules/staff/invitations.ts'
import { listStaff } from '#api/modules/staff/staff-roles.ts'
import { refusedValue } from '#api/modules/tenancy/check-settings.ts'
import { hostsOfOtherStores, readHosts, readOwnHosts } from '#api/modules/tenancy/domains.queries.ts'
import { readHost } from '#api/modules/tenancy/domains.ts'
import { changeHosts, isStoreTaken, resumeStore, suspendStore } from '#api/modules/tenancy/store-states.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { findStoresByCodeOrHosts, readStateForUpdate } from '#api/modules/tenancy/tenancy.queries.ts'
import { type AuditActor, audit, historyOf, refuseOldVersion, versionOf } from '#api/platform/audit.ts'
import { type Ctx, type Customer, type Failure, failure, invalidField, isFailure } from '#api/platform/context.ts'
import { bindTenant, type TenantDb, withTenant } from '#api/platform/db/client.ts'
import { ApiError } from '#api/platform/http/problems.ts'
import {
  detachedCtx,
  implementProcedures,
  operatorName,
  operatorOf,
  type ProcedureContext,
  unwrap,
} from '#api/platform/http/procedures.ts'
import { ifMatch } from '#api/platform/http/request-facts.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { keysetPageOf, readCursor } from '#api/platform/platform.queries.ts'
import type { AuditAction } from '#contract/admin/audit.ts'
import { maxListCount } from '#contract/admin/lists.ts'
import type { ManagedStore, NewStore } from '#contract/admin/stores.ts'
import type { CustomerCode } from '#contract/ids.ts'
import { storePermissions } from '#contract/permissions.ts'
import { type StoreState, storeStateOf } from '#contract/store-state.ts'
import { lockInstallationConsole } from './admin.queries.ts'
import { countStores, readStorePage } from './admin-lists.queries.ts'
import type { AsOwner } from './first-store.ts'
import { countedList } from './list-columns.ts'
import { createOwnedStore, type OwnedStore } from './store-lifecycle.ts'

interface ManagedStoreDeps {
  originOfHost: (host: string) => string
  /** Null where the service does not know the owner's role. Stores are then read alone. */
  asOwner: AsOwner | null
}

const os = implementProcedures<ManagedStoreDeps>().admin.stores
type Context = ProcedureContext<ManagedStoreDeps>

/** The caller's name in the audit log of a store, where they are none of its staff. */
const installationActor = (context: Context): AuditActor => {
  const operator = operatorOf(context)
  return `installation:${operator.kind === 'STAFF' ? operator.email : operator.name}`
}

const ownerOf = ({ deps }: Context): AsOwner =>
  unwrap(deps.asOwner ?? failure('CONFLICT', { data: { missing: ['DATABASE_OWNER_URL'] } }))

/** A store of the installation. @throws ApiError NOT_FOUND */
const storeOf = async ({ deps }: Context, code: CustomerCode): Promise<Customer> => {
  const customer = await resolveCustomer(deps, code)
  return unwrap(customer && !customer.isInstallation ? customer : failure('NOT_FOUND'))
}

const ctxIn = (context: Context, customer: Customer, db: TenantDb): Ctx => {
  const { inTransaction: _, ...shared } = detachedCtx(context)
  return { ...shared, customer, db }
}

/** Writes what was done to a store into the audit log of the installation as well. */
const auditHere = async (
  context: Context,
  db: TenantDb,
  { code, ...entry }: { action: AuditAction; code: CustomerCode; detail?: Record<string, unknown> },
) => {
  const { customer, deps } = context
  await bindTenant(db, customer.id)
  const here = { db, customer, clock: deps.clock }
  await audit(here, { ...entry, actor: operatorName(context), subject: `store:${code}` })
}

const storeVersion = (state: StoreState, hosts: readonly string[]) => versionOf({ state, hosts: hosts.toSorted() })

const viewStore = async (context: Context, code: CustomerCode): Promise<ManagedStore> => {
  const { deps } = context
  const customer = await storeOf(context, code)
  const [listing] = await readStorePage(deps.pool, { search: '', state: null, code, after: null, size: 1 })
  const { keyset: _, ...store } = unwrap(listing ?? failure('NOT_FOUND'))
  const { locale, currency, timeZone } = customer.settings.base
  return withTenant(deps.pool, customer.id, async (db) => {
    const ctx = ctxIn(context, customer, db)
    return {
      ...store,
      origins: store.hosts.map(deps.originOfHost),
      locale,
      currency,
      timeZone,
      people: await listStaff(ctx),
      invitations: await listInvitations(ctx),
      canWrite: deps.asOwner !== null,
      version: storeVersion(store.state, store.hosts),
      history: await historyOf(ctx, 'store'),
    }
  })
}

/** Changes a store as the caller saw it. @throws ApiError, also for a failure of `work` */
const changeStore = async (
  context: Context,
  code: CustomerCode,
  { action, detail }: { action: AuditAction; detail?: Record<string, unknown> },
  work: (ctx: Ctx, by: AuditActor, hosts: readonly string[]) => Promise<Failure | undefined>,
): Promise<ManagedStore> => {
  const asOwner = ownerOf(context)
  const store = await storeOf(context, code)
  const refused = await asOwner(async (db) => {
    await bindTenant(db, store.id)
    const state = await readStateForUpdate(db, store.id)
    if (!state) return failure('NOT_FOUND')
    const hosts = await readOwnHosts(db, store.id)
    const ctx = ctxIn(context, { ...store, ...state }, db)
    const seen = { expected: ifMatch(context), version: storeVersion(storeStateOf(state), hosts), subject: 'store' }
    const failed = (await refuseOldVersion(ctx, seen)) ?? (await work(ctx, installationActor(context), hosts))
    if (failed) return failed
    await auditHere(context, db, { action, code, ...(detail && { detail }) })
    return null
  })
  unwrap(refused)
  return viewStore(context, code)
}

/** The hosts in the form of the DNS. Failure: VALIDATION_FAILED in `field`. */
const readHostsIn = (context: Context, field: string, texts: readonly string[]): string[] | Failure => {
  const hosts = texts.map(readHost)
  const i18n = messagesOf(context.locale)
  return hosts.every((host) => host !== null)
    ? [...new Set(hosts)]
    : invalidField(field, i18n._('Enter a domain, for example films.example.com. IP addresses and * are not accepted.'))
}

/** Why a store cannot be created, in the language of the person. */
const refusalOf = async (context: Context, db: TenantDb, { code, host }: { code: CustomerCode; host: string }) => {
  const i18n = messagesOf(context.locale)
  const rows = await findStoresByCodeOrHosts(db, code, [host])
  if (rows.some((row) => row.code === code)) return invalidField('code', i18n._('Another store has this code.'))
  return rows.length > 0 ? invalidField('host', i18n._('Another store has this domain.')) : null
}

const createStore = async (context: Context, form: NewStore) => {
  const asOwner = ownerOf(context)
  const i18n = messagesOf(context.locale)
  if (refusedValue('base.currency', form.currency) !== null)
    return invalidField('currency', i18n._('Choose a currency.'))
  if (refusedValue('base.timeZone', form.timeZone) !== null)
    return invalidField('timeZone', i18n._('Choose a time zone.'))
  const hosts = readHostsIn(context, 'host', [form.host])
  if (isFailure(hosts)) return hosts
  const [host = ''] = hosts
  const { code } = form
  try {
    return await asOwner(async (db) => {
      const refused = await refusalOf(context, db, { code, host })
      if (refused) return refused
      const { clock, log, requestId, events } = detachedCtx(context)
      const shared = { db, clock, log, requestId, events }
      const { path, invitation } = await createOwnedStore(shared, installationActor(context), { ...form, hosts })
      await auditHere(context, db, { action: 'store.created', code, detail: { host, owner: form.email } })
      return { code, url: `${context.deps.originOfHost(host)}${path}`, expiresAt: invitation.expiresAt }
    })
  } catch (error) {
    if (!isStoreTaken(error)) throw error
    // Another request has taken the code or the host meanwhile.
    return (await asOwner((db) => refusalOf(context, db, { code, host }))) ?? failure('CONFLICT')
  }
}

/** The stores of the installation, for its own staff. */
export const managedStoreProcedures = {
  list: os.list.handler(async ({ context, input: { q, state = null, cursor, size } }) => {
    const { deps } = context
    const after = unwrap(readCursor(cursor))
    const filter = { search: q.toLowerCase(), state, code: null, after, size }
    return { ...keysetPageOf(await readStorePage(deps.pool, filter), size), canWrite: deps.asOwner !== null }
  }),
  count: os.count.handler(async ({ context, input: { q, state = null } }) =>
    countedList(await countStores(context.deps.pool, { search: q.toLowerCase(), state, code: null }, maxListCount + 1)),
  ),
  create: os.create.handler(async ({ context, input }) => unwrap(await createStore(context, input))),
  get: os.get.handler(({ context, input }) => viewStore(context, input.code)),
  suspend: os.suspend.handler(async ({ context, input: { code, confirmation, reason, note } }) => {
    const i18n = messagesOf(context.locale)
    if (confirmation !== code)
      throw new ApiError('VALIDATION_FAILED', { errors: { confirmation: [i18n._('Enter the code of the store.')] } })
    const contract = reason === 'CONTRACT_ENDED'
    const detail = { contract, ...(note && { note }) }
    return changeStore(context, code, { action: 'store.closed', detail }, async (ctx, by) => {
      if (!ctx.customer.useCustomer || (!ctx.customer.useSite && !contract))
        return failure('CONFLICT', { errors: { reason: [i18n._('The store is offline already.')] } })
      await suspendStore(ctx, by, contract, note ? { note } : {})
      return undefined
    })
  }),
  resume: os.resume.handler(({ context, input: { code } }) =>
    changeStore(context, code, { action: 'store.resumed' }, async (ctx, by) => {
      const i18n = messagesOf(context.locale)
      if (ctx.customer.useCustomer && ctx.customer.useSite)
        return failure('CONFLICT', { errors: { code: [i18n._('The store is not offline.')] } })
      await resumeStore(ctx, by)
      return undefined
    }),
  ),
  setHosts: os.setHosts.handler(({ context, input: { code, hosts: texts } }) => {
    const wanted = unwrap(readHostsIn(context, 'hosts', texts))
    const i18n = messagesOf(context.locale)
    return changeStore(
      context,
      code,
      { action: 'domains.changed', detail: { hosts: wanted } },
      async (ctx, by, hosts) => {
        const added = wanted.filter((host) => !hosts.includes(host))
        const removed = hosts.filter((host) => !wanted.includes(host))
        const [taken] = await hostsOfOtherStores(ctx.db, ctx.customer.id, added)
        if (taken) return invalidField('hosts', i18n._('Another store has the domain {host}.', { host: taken.host }))
        return changeHosts(ctx, by, { added, removed })
      },
    )
  }),
  inviteOwner: os.inviteOwner.handler(async ({ context, input: { code, email } }) => {
    const { deps } = context
    const customer = await storeOf(context, code)
    const [host = 'localhost'] = await readHosts(deps.pool, customer.id)
    const grantor = { by: installationActor(context), permissions: storePermissions }
    const { path, invitation } = unwrap(
      await withTenant(deps.pool, customer.id, async (db) => {
        const invited = await inviteStaff(ctxIn(context, customer, db), grantor, { email, grant: { role: 'OWNER' } })
        if (!isFailure(invited))
          await auditHere(context, db, { action: 'staff.invited', code, detail: { owner: email } })
        return invited
      }),
    )
    return { code, url: `${deps.originOfHost(host)}${path}`, expiresAt: invitation.expiresAt }
  }),
}

/**
 * Creates the console of the installation and the invitation of its owner, in the owner's
 * transaction. Failure: CONFLICT with the customer code of the console that is there.
 *
 * @returns the invitation, and the path of its page
 */
export const createInstallation = async (
  shared: Parameters<typeof createOwnedStore>[0],
  by: AuditActor,
  store: Omit<OwnedStore, 'isInstallation' | 'currency'>,
) => {
  const code = await lockInstallationConsole(shared.db)
  if (code !== null) return failure('CONFLICT', { data: { code } })
  // Prices have no meaning where nothing is sold.
  return createOwnedStore(shared, by, { ...store, currency: 'USD', isInstallation: true })
}
