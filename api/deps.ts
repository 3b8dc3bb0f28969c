import { join } from 'node:path'
import type { Hono } from 'hono'
import type { Logger } from 'pino'
import { createCallerLimits } from '#api/http/actor.ts'
import { createMediaLimits } from '#api/http/media-requests.ts'
import type { FirstStoreDeps } from '#api/modules/admin/first-store.ts'
import { countMissedSearch } from '#api/modules/analytics/analytics.ts'
import { createBillingLimits } from '#api/modules/billing/billing.routes.ts'
import type { PaymentDeps } from '#api/modules/billing/payment-states.ts'
import { cardRefOf, isOpenAtProvider, providerRefOf } from '#api/modules/billing/payments.queries.ts'
import { createPortOnePages } from '#api/modules/billing/providers/portone/pages.ts'
import type { KnownReferences } from '#api/modules/billing/providers/provider.ts'
import { createSandbox, type Sandbox } from '#api/modules/billing/providers/sandbox/hosted-page.ts'
import { createChoice, createProviders, type InstallationSecrets } from '#api/modules/billing/providers.ts'
import { type CatalogDeps, createProductIndexes } from '#api/modules/catalog/product-lists.ts'
import { moveGuestHistory, moveMergedHistory } from '#api/modules/engagement/comments.ts'
import { createEngagementLimits } from '#api/modules/engagement/engagement.routes.ts'
import { createIdentityLimits } from '#api/modules/identity/identity-limits.ts'
import type { MailDeps } from '#api/modules/mail/mail.jobs.ts'
import { createMailLimits } from '#api/modules/mail/mail-servers.ts'
import { createVideoSources } from '#api/modules/media/video-sources.ts'
import type { EncodingDeps } from '#api/modules/media/work-folders.ts'
import { mergeGuestCart, mergeMergedCart } from '#api/modules/orders/cart.ts'
import { markItemOpened } from '#api/modules/orders/orders.ts'
import { createPlaybackLimits } from '#api/modules/playback/playback.routes.ts'
import { moveGuestPositions, moveMergedPositions } from '#api/modules/playback/progress.ts'
import { createStaffLimits } from '#api/modules/staff/staff-sign-in.ts'
import { releaseInquiries } from '#api/modules/support/inquiry-assignments.ts'
import { createSupportLimits } from '#api/modules/support/support.routes.ts'
import type { DomainDeps } from '#api/modules/tenancy/domains.ts'
import { createTenantCache, type TenancyDeps, type TenantCache } from '#api/modules/tenancy/stores.ts'
import { readTenants } from '#api/modules/tenancy/tenancy.queries.ts'
import { publish } from '#api/modules/webhooks/deliveries.ts'
import type { WebhookDeps } from '#api/modules/webhooks/webhooks.jobs.ts'
import type { AddressBook } from '#api/platform/addresses/address-book.ts'
import { createNationalAddressBook } from '#api/platform/addresses/address-book.ts'
import { sampleAddressBook } from '#api/platform/addresses/sample-addresses.ts'
import { createStoreClock, type StoreClock } from '#api/platform/clock.ts'
import type { Clock, EventCtx, EventHandlers } from '#api/platform/context.ts'
import { secretFor } from '#api/platform/crypto.ts'
import { createPool, DatabaseUnavailable, withTenant } from '#api/platform/db/client.ts'
import { announceChange, probeDatabaseDisk, readClockSkew, withOwner } from '#api/platform/db/connections.ts'
import { createReplica, type Replica } from '#api/platform/db/replica.ts'
import { createDnsRecords, isLocalHost, resolveHost } from '#api/platform/http/public-requests.ts'
import { createLimitKinds, type LimitKinds } from '#api/platform/limits/rate-limits.ts'
import { createLiveChanges, type LiveChanges } from '#api/platform/live-changes.ts'
import { createLogger, createServiceFaults, type FaultLog } from '#api/platform/log/log.ts'
import { createSmtpMailer, mailCheckInterval } from '#api/platform/mail/transport.ts'
import { createStorageFaults } from '#api/platform/storage/copy-media.ts'
import { createDiskStorage } from '#api/platform/storage/disk-storage.ts'
import { createS3Storage } from '#api/platform/storage/s3-storage.ts'
import { withBundled } from '#api/platform/storage/storage.ts'
import { createHealth, type Health } from '#api/platform/telemetry/telemetry.ts'
import type { Config } from './config.ts'
import { defaultIndexMemory } from './config-schema.ts'
import { mailTemplates } from './mail-templates.ts'

/** Notifies the open consoles that the counts of their first screen have changed. */
const notifyHome = ({ db, customer }: EventCtx) => announceChange(db, customer.id, 'home')

/**
 * The handlers of each event. They run in this order, in the transaction that emitted the event.
 */
const eventHandlers: EventHandlers = {
  memberSignedIn: [moveGuestHistory, moveGuestPositions, mergeGuestCart],
  memberMerged: [moveMergedHistory, moveMergedPositions, mergeMergedCart],
  entitlementStarted: [markItemOpened],
  searchMissed: [countMissedSearch],
  staffRemoved: [(ctx, { staffId }) => releaseInquiries(ctx, staffId)],
  orderPaid: [publish('order.paid'), notifyHome],
  depositReceived: [publish('deposit.received')],
  depositReversed: [publish('deposit.reversed'), notifyHome],
  refundRequested: [publish('order.refund_requested'), notifyHome],
  refundRejected: [publish('order.refund_rejected'), notifyHome],
  refundWithdrawn: [publish('order.refund_withdrawn'), notifyHome],
  orderRefunded: [publish('order.refunded'), notifyHome],
  subscriptionStarted: [publish('subscription.started')],
  subscriptionRenewed: [publish('subscription.renewed'), notifyHome],
  subscriptionPlanChanged: [publish('subscription.plan_changed')],
  subscriptionPaused: [publish('subscription.paused')],
  subscriptionResumed: [publish('subscription.resumed')],
  subscriptionCancellationScheduled: [publish('subscription.cancellation_scheduled')],
  subscriptionCancellationRevoked: [publish('subscription.cancellation_revoked')],
  subscriptionEnded: [publish('subscription.ended')],
  chargeFailed: [publish('charge.failed'), notifyHome],
  chargeRefunded: [publish('charge.refunded')],
  memberJoined: [publish('member.joined'), notifyHome],
  memberDeleted: [publish('member.deleted')],
  inquiryReceived: [publish('inquiry.received'), notifyHome],
  commentHeld: [publish('comment.held'), notifyHome],
  productOnSale: [publish('product.on_sale')],
}

/**
 * The resources that the process opens for the API, combined from what each module requires. They
 * are opened and closed here.
 */
export interface Deps
  extends AsyncDisposable,
    TenancyDeps,
    DomainDeps,
    MailDeps,
    CatalogDeps,
    PaymentDeps,
    EncodingDeps,
    FirstStoreDeps,
    WebhookDeps {
  /** The same clock where it can be advanced; null in production. */
  storeClock: StoreClock | null
  cache: TenantCache
  /** Secrets from the environment, for accounts without secrets of their own. */
  paymentSecrets: InstallationSecrets
  /** Pages that open a payment provider's window, below /pay/portone. */
  paymentPages: Hono
  /** The provider side of the embedded sandbox: its pages and webhooks. */
  sandbox: Sandbox
  /** The internal location of the proxy that serves media. */
  mediaAccel: string | null
  /** Finds postal addresses. */
  addresses: AddressBook
  trustedProxies: ReadonlySet<string>
  /** The templates of all mails, for sending one again. */
  mailTemplates: typeof mailTemplates
  /** Whether money and staff rights need a second factor. Only the demo needs none. */
  needsSecondFactor: boolean
  limits: ReturnType<typeof createLimits>
  health: Health
  liveChanges: LiveChanges
  /** A streaming replica for reads that may be old; null without one. */
  replica: Replica | null
}

export interface DepsOptions {
  /** The URL of the role that serves requests. */
  databaseUrl: string
  /** The same database without a pooler, where `databaseUrl` goes through one. */
  jobsDatabaseUrl?: string | undefined
  /** The URL of the role that owns the tables, where it is known. */
  ownerUrl?: string | null | undefined
  secret: string
  config: Pick<Config, 'production' | 'dataFolder' | 'logLevel' | 'databasePoolSize' | 'publicUrl' | 'trustedProxies'> &
    Partial<
      Pick<
        Config,
        | 'mail'
        | 'addressKey'
        | 'nameServers'
        | 'productIndexMemory'
        | 'replica'
        | 'demo'
        | 'port'
        | 'paymentSecrets'
        | 'mediaStorage'
        | 'mediaAccel'
      >
    > &
    Partial<Deps['video']>
  /** A folder of media bundled with the source, read where the storage has no such file. */
  bundledMedia?: string | undefined
  /** The look-ups of host names in this process, where it limits them. */
  nameLookups?: { observe: (faults: FaultLog) => void; probe: () => Promise<void> }
  /** Tests replace the clock and read the log. */
  clock?: Clock
  log?: Logger
}

const systemClock: Clock = { now: () => new Date() }

const createLimits = (kinds: LimitKinds) => ({
  ...createIdentityLimits(kinds),
  ...createStaffLimits(kinds),
  ...createMailLimits(kinds),
  ...createEngagementLimits(kinds),
  ...createBillingLimits(kinds),
  ...createSupportLimits(kinds),
  ...createPlaybackLimits(kinds),
  ...createCallerLimits(kinds),
  ...createMediaLimits(kinds),
})

export const createDeps = ({ databaseUrl, ownerUrl, secret, config, ...given }: DepsOptions): Deps => {
  const jobsDatabaseUrl = given.jobsDatabaseUrl ?? databaseUrl
  const log = given.log ?? createLogger(config)
  const faults = createStorageFaults(log)
  const ownStorage = config.mediaStorage
    ? createS3Storage(config.mediaStorage, faults)
    : createDiskStorage(join(config.dataFolder, 'media'), faults)
  const logLoss = (error: Error) =>
    error instanceof DatabaseUnavailable
      ? health.onDatabaseUnavailable(error)
      : log.warn({ err: error }, 'An idle database connection was lost')
  const poolOf = (connectionString: string, size: number, onError: (error: Error) => void = logLoss) =>
    createPool({ connectionString, size, isPooled: connectionString !== jobsDatabaseUrl }, onError)
  const reserved = config.databasePoolSize < 8 ? 1 : 2
  const pool = poolOf(databaseUrl, config.databasePoolSize - reserved)
  // A request that builds an index holds a connection: with one pool, both could wait for ever.
  const indexPool = poolOf(jobsDatabaseUrl, reserved)
  const replica = config.replica
    ? createReplica({
        primary: pool,
        pool: poolOf(config.replica.url, config.databasePoolSize, () => {}),
        maxLag: config.replica.maxLag,
        log,
      })
    : null
  const storeClock = config.production || given.clock ? null : createStoreClock(pool)
  const clock = given.clock ?? storeClock ?? systemClock
  const sandbox = createSandbox({
    inTenant: (customerId, work) => withTenant(pool, customerId, work),
    now: clock.now,
    merchants: async () => (await readTenants(pool)).map(({ id }) => id),
    webhookSecret: secretFor(secret, 'sandbox webhooks'),
  })
  const references: KnownReferences = {
    payment: ({ id }, reference) => withTenant(pool, id, (db) => providerRefOf(db, id, reference)),
    card: ({ id }, reference) => withTenant(pool, id, (db) => cardRefOf(db, id, reference)),
  }
  const pageSecret = secretFor(secret, 'payment pages')
  const paymentSecrets = config.paymentSecrets ?? {}
  const providerOf = createChoice({
    sandbox: sandbox.provider,
    // Sandbox cards charge no money, so a production store accepts them only if an operator has
    // enabled them.
    byDefault: config.production && !config.demo ? null : sandbox.provider,
    provider: createProviders({ sandbox: sandbox.provider, references, pageSecret }),
    encryptionSecret: secretFor(secret, 'sealed columns'),
    installation: paymentSecrets,
    log,
  })
  const { mailFaults, nameFaults } = createServiceFaults(log)
  const mailer = config.mail ? createSmtpMailer(config.mail, mailFaults) : null
  given.nameLookups?.observe(nameFaults)
  const health: Health = createHealth({
    readClockSkew: () => readClockSkew(pool),
    probeDatabaseDisk: () => probeDatabaseDisk(pool),
    log,
    dataFolder: config.dataFolder,
    services: {
      media: { isFaulty: faults.isFaulty, probe: ownStorage.check },
      ...(mailer && { mail: { isFaulty: mailFaults.isFaulty, probe: mailer.check, probeEvery: mailCheckInterval } }),
      ...(replica && { replica: { isFaulty: replica.isFaulty, probe: replica.check } }),
      ...(given.nameLookups && { dns: { isFaulty: nameFaults.isFaulty, probe: given.nameLookups.probe } }),
    },
  })
  const liveChanges = createLiveChanges({ jobsDatabaseUrl, log })
  const readForIndex: Parameters<typeof createProductIndexes>[0] = async ({ id, version }, work) => {
    const old = await replica?.read(id, { version }, work)
    return old ? old.answer : withTenant(indexPool, id, work)
  }
  return {
    pool,
    replica,
    jobsDatabaseUrl,
    clock,
    storeClock,
    log,
    cache: createTenantCache(),
    productIndexes: createProductIndexes(readForIndex, (config.productIndexMemory ?? defaultIndexMemory) * 1_000_000),
    secret,
    asOwner: ownerUrl ? (work) => withOwner(ownerUrl, work, () => true) : null,
    providerOf,
    paymentSecrets,
    paymentPages: createPortOnePages({
      pageSecret,
      isOpen: (id, reference) => withTenant(pool, id, (db) => isOpenAtProvider(db, id, reference)),
    }),
    sandbox,
    publicRequests: { resolveHost, allowsLoopback: !config.production || (config.demo ?? false) },
    mediaAccel: config.mediaAccel ?? null,
    storage: given.bundledMedia ? withBundled(ownStorage, createDiskStorage(given.bundledMedia)) : ownStorage,
    mailer,
    mailSender: config.mail?.from ?? null,
    dataFolder: config.dataFolder,
    sources: createVideoSources(join(config.dataFolder, 'sources')),
    video: {
      ffmpegPath: config.ffmpegPath ?? null,
      encoders: config.encoders ?? 1,
      largestUpload: config.largestUpload ?? 50e9,
    },
    addresses: config.addressKey ? createNationalAddressBook({ key: config.addressKey }) : sampleAddressBook,
    mailbox: config.demo ?? false,
    needsSecondFactor: !config.demo,
    mailTemplates,
    originOfHost: (host) =>
      config.production && !isLocalHost(host) ? `https://${host}` : `http://${host}:${config.port ?? 3000}`,
    publicUrl: config.publicUrl,
    dns: createDnsRecords(config.nameServers ?? []),
    trustedProxies: new Set(config.trustedProxies),
    limits: createLimits(createLimitKinds(clock, pool)),
    health,
    liveChanges,
    events: eventHandlers,
    [Symbol.asyncDispose]: async () => {
      await liveChanges[Symbol.asyncDispose]()
      mailer?.close()
      await replica?.[Symbol.asyncDispose]()
      await Promise.all([pool.end(), indexPool.end()])
    },
  }
}
