import type * as z from 'zod/mini'
import { insertStarterPages } from '#api/modules/content/store-pages.ts'
import { inviteStaff } from '#api/modules/staff/invitations.ts'
import { checkSettings } from '#api/modules/tenancy/check-settings.ts'
import {
  changeMaintenance,
  closeToVisitors,
  insertCustomer,
  newCustomer,
  recordedModeIn,
  reopenToVisitors,
  tryStateOf,
} from '#api/modules/tenancy/store-states.ts'
import { createPreviewLink, type PreviewDeps } from '#api/modules/tenancy/stores.ts'
import { readStateForUpdate } from '#api/modules/tenancy/tenancy.queries.ts'
import { type AuditActor, audit, historyOf } from '#api/platform/audit.ts'
import {
  type Clock,
  type Ctx,
  expectAnswer,
  type Failure,
  failure,
  invalidField,
  isFailure,
} from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { LaunchItemCode, StoreStatus, storeClose, storeMaintenance, storeOpen } from '#contract/admin/store.ts'
import { type Locale, locale } from '#contract/enumerations.ts'
import type { CustomerCode, CustomerId } from '#contract/ids.ts'
import { permissionsAt } from '#contract/permissions.ts'
import { storeStateOf } from '#contract/store-state.ts'
import type { Maintenance, SiteSettings } from '#contract/tenancy.ts'
import { type LaunchItem, launchChecklist } from './launch-checklist.ts'

export interface CreateStoreOptions {
  id?: CustomerId
  code: CustomerCode
  hosts: readonly string[]
  settings: SiteSettings
  /** The tenant of the installation's staff, which has no pages. */
  isInstallation?: boolean
  by: AuditActor
}

interface Start {
  name: string
  locale: Locale
  currency: string
  timeZone: string
}

const refundPolicyText = (locale: Locale) => {
  const i18n = messagesOf(locale)
  return i18n._('You get a full refund within seven days of payment for anything you haven’t opened.')
}

/**
 * Returns the settings of a new store: it can sell, and settings specific to its owner are empty.
 */
export const starterSettings = ({ name, locale, currency, timeZone }: Start, today: string): SiteSettings => ({
  base: {
    name,
    faviconPublicUrl: null,
    logoPublicUrl: null,
    logoDarkPublicUrl: null,
    displayType: 'TEXT',
    locale,
    locales: locale === 'en' ? ['en'] : [locale, 'en'],
    timeZone,
    currency,
    dateFormat: 'yyyy/mm/dd',
  },
  theme: { accent: '#2563eb', surface: 'system', radius: 'medium', font: 'sans' },
  seo: { title: name, description: null, publicUrl: null, use: true, ogImagePublicUrl: null },
  operation: {
    useLogin: false,
    useJoin: true,
    useComment: true,
    commentPolicy: 'MEMBERS',
    deviceLimit: 5,
    streamLimit: 2,
    retentionDays: 365,
  },
  order: {
    useFree: true,
    usePayment: true,
    useSubscribe: false,
    useInquiry: true,
    // Payments by bank deposit are usual in Korea.
    methods: currency === 'KRW' ? ['CARD', 'BANK'] : ['CARD'],
    depositHours: 168,
    refundDays: 7,
    refundPolicy: { version: today, text: refundPolicyText(locale) },
  },
  business: {
    company: null,
    representative: null,
    registrationNumber: null,
    mailOrderNumber: null,
    address: null,
    phone: null,
    email: null,
  },
  routeRules: [],
  redirectOrigins: [],
})

/**
 * Creates a store with settings and draft pages, in the owner's transaction. The store is closed to
 * visitors until it is opened.
 */
export const createStore = async (
  db: TenantDb,
  clock: Clock,
  { id: known, code, hosts, settings, isInstallation = false, by }: CreateStoreOptions,
): Promise<CustomerId> => {
  const id = await insertCustomer(db, { code, settings, hosts, isInstallation, ...(known && { id: known }) })
  if (!isInstallation) await insertStarterPages(db, clock, { id, locale: settings.base.locale })
  await audit(
    { db, customer: { id }, clock },
    { actor: by, action: 'store.created', subject: 'store', detail: { hosts: [...hosts] } },
  )
  return id
}

export interface OwnedStore extends Start {
  code: CustomerCode
  hosts: readonly string[]
  /** The owner's address. */
  email: string
  isInstallation?: boolean
}

/**
 * Creates a store and the invitation of its owner, in the owner's transaction.
 *
 * @returns the invitation, and the path of its page
 */
export const createOwnedStore = async (
  shared: Pick<Ctx, 'db' | 'clock' | 'log' | 'requestId' | 'events'>,
  by: AuditActor,
  { code, hosts, email, isInstallation = false, ...start }: OwnedStore,
) => {
  const { db, clock } = shared
  const starter = starterSettings(start, clock.now().toISOString().slice(0, 10))
  // The installation's staff may read any language.
  const { settings } = checkSettings(starter, isInstallation ? { base: { locales: locale.options } } : {})
  const id = newId<CustomerId>()
  await createStore(db, clock, { id, code, hosts, settings, isInstallation, by })
  const customer = { ...newCustomer({ id, code, settings }), isInstallation }
  const ctx: Ctx = { ...shared, customer, locale: start.locale, actor: { kind: 'GUEST', guestId: null } }
  const invited = await inviteStaff(
    ctx,
    { by, permissions: permissionsAt(customer) },
    { email, grant: { role: 'OWNER' }, locale: start.locale },
  )
  return expectAnswer(invited, ({ failure }) => {
    throw new Error(`A new store refuses its owner: ${failure}`)
  })
}

/** What the process knows of a store: its addresses, and whether emails are sent. */
export interface StoreFacts {
  origins: readonly string[]
  sendsMail: boolean
}

/** The state in the transaction, which may be newer than the one of the request. */
const withState = async (ctx: Ctx): Promise<Ctx> => ({
  ...ctx,
  customer: { ...ctx.customer, ...(await readStateForUpdate(ctx.db, ctx.customer.id)) },
})

const missingItems = async (ctx: Ctx, { sendsMail }: Pick<StoreFacts, 'sendsMail'>) =>
  launchChecklist(ctx, { sendsMail, environment: (await recordedModeIn(ctx.db)) ?? 'development' })

/** What a store lacks where only its own machine can reach it, and what matters to others alone. */
const overlookedInTry: readonly LaunchItemCode[] = [
  'LOCAL_HOSTS',
  'TEST_PAYMENTS',
  'NO_PAYMENT_PROVIDER',
  'NO_MAIL_SERVER',
]

/** What prevents the opening; null in a try of a store that others can reach. */
const obstaclesOf = (items: readonly LaunchItem[], isTry: boolean): LaunchItem[] | null => {
  const missing = items.filter(({ state, code }) => state === 'MISSING' && code !== 'CLOSED')
  if (!isTry) return missing
  return missing.some(({ code }) => code === 'LOCAL_HOSTS')
    ? missing.filter(({ code }) => !overlookedInTry.includes(code))
    : null
}

/** Whether visitors see the store, where, and what it lacks. */
export const viewStore = async (ctx: Ctx, { origins, sendsMail }: StoreFacts): Promise<StoreStatus> => {
  const items = await missingItems(ctx, { sendsMail })
  const state = storeStateOf(ctx.customer)
  return {
    state,
    maintenance: ctx.customer.maintenance,
    origins: [...origins],
    canTry: state === 'COMING_SOON' && obstaclesOf(items, true)?.length === 0,
    tryState: await tryStateOf(ctx, ctx.customer),
    items: items
      .filter(({ code }) => code !== 'CLOSED')
      .map(({ code, state, names, count }) => ({ code, state, names, count })),
    history: await historyOf(ctx, 'store'),
  }
}

/**
 * Opens a store that lacks nothing; one that was open before is checked again. Opening an open
 * store changes nothing. With `isTry` a store that only its own machine can reach opens without
 * what matters to others alone; the audit log names that. Failures: SITE_DISABLED for a suspended
 * store, CONFLICT with the codes of what is missing.
 */
export const openStore = async (
  callerCtx: Ctx,
  by: AuditActor,
  { isTry = false }: z.output<typeof storeOpen>,
  facts: StoreFacts,
): Promise<StoreStatus | Failure> => {
  const ctx = await withState(callerCtx)
  const state = storeStateOf(ctx.customer)
  if (state === 'CLOSED') return failure('SITE_DISABLED')
  if (state === 'OPEN') return viewStore(ctx, facts)
  const items = await missingItems(ctx, facts)
  const missing = obstaclesOf(items, false) ?? []
  const obstacles = obstaclesOf(items, isTry) ?? missing
  if (obstacles.length > 0) return failure('CONFLICT', { data: { missing: obstacles.map(({ code }) => code) } })
  await reopenToVisitors(ctx, by, { missing: missing.map(({ what }) => what), isTry })
  return viewStore(await withState(ctx), facts)
}

/** The texts that are not empty, and a time that is still to come. */
const readMaintenance = (
  ctx: Ctx,
  { texts = {}, backAt = null }: Omit<z.output<typeof storeClose>, 'code'>,
): Maintenance | Failure => {
  const i18n = messagesOf(ctx.locale)
  if (backAt !== null && Date.parse(backAt) <= ctx.clock.now().getTime())
    return invalidField('backAt', i18n._('Enter a time that is still to come.'))
  return { texts: Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')), backAt }
}

/**
 * Closes a store. Closing a closed one changes nothing. Failure: VALIDATION_FAILED where `code`,
 * the confirmation, is not the customer code, and for a time that has passed.
 */
export const closeStore = async (
  callerCtx: Ctx,
  by: AuditActor,
  { code, ...input }: z.output<typeof storeClose>,
  facts: StoreFacts,
): Promise<StoreStatus | Failure> => {
  const i18n = messagesOf(callerCtx.locale)
  if (code !== callerCtx.customer.code) return invalidField('code', i18n._('Enter the code of the store.'))
  const maintenance = readMaintenance(callerCtx, input)
  if (isFailure(maintenance)) return maintenance
  const ctx = await withState(callerCtx)
  if (!ctx.customer.opened) return viewStore(ctx, facts)
  await closeToVisitors(ctx, by, maintenance)
  return viewStore(await withState(ctx), facts)
}

/**
 * Changes what visitors of a closed store read. Failures: CONFLICT for a store that staff have not
 * closed, VALIDATION_FAILED for a time that has passed.
 */
export const setMaintenance = async (
  callerCtx: Ctx,
  by: AuditActor,
  input: z.output<typeof storeMaintenance>,
  facts: StoreFacts,
): Promise<StoreStatus | Failure> => {
  const ctx = await withState(callerCtx)
  const { maintenance: before } = ctx.customer
  if (before === null) return failure('CONFLICT')
  const after = readMaintenance(ctx, input)
  if (isFailure(after)) return after
  await changeMaintenance(ctx, by, { before, after })
  return viewStore(await withState(ctx), facts)
}

/** Creates a link that shows the store for a week. Failure: VALIDATION_FAILED for a past time. */
export const createPreview = async (ctx: Ctx, by: AuditActor, deps: PreviewDeps) => {
  const link = createPreviewLink(ctx, deps, { path: '/' })
  if (isFailure(link)) return link
  const { expiresAt } = link
  await audit(ctx, { actor: by, action: 'store.preview-created', subject: 'store', detail: { expiresAt, at: deps.at } })
  return link
}
