import type { Logger } from 'pino'
import type { TenancyDeps } from '#api/modules/tenancy/stores.ts'
import { readCustomer } from '#api/modules/tenancy/tenancy.queries.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import type { Clock, Customer } from '#api/platform/context.ts'
import { withTenant } from '#api/platform/db/client.ts'
import { followWork } from '#api/platform/db/connections.ts'
import { createRuns } from '#api/platform/db/job-queues.ts'
import type { CustomerId, WebhookEndpointId } from '#contract/ids.ts'
import type { EndpointDeps } from './endpoints.ts'
import { type SendCtx, sendBatch } from './send-webhooks.ts'
import {
  announceDeliveries,
  deleteOldEvents,
  hasDueDeliveries,
  readDueEndpoints,
  webhookChannel,
} from './webhooks.queries.ts'

/** The dependencies of sending webhooks. */
export interface WebhookDeps extends TenancyDeps, EndpointDeps {
  /** A direct connection, which waits for new deliveries. */
  jobsDatabaseUrl: string
  clock: Clock
  log: Logger
}

/** Endpoints that a process sends to at once. Those that fail wait for each other alone. */
const healthyAtOnce = 32
const failingAtOnce = 8

/**
 * Sends due deliveries. Each endpoint has a run of its own, so that a slow one holds up no other.
 * Several processes may do this; each delivery is claimed by one.
 */
export const createWebhookSender = (deps: WebhookDeps) => {
  const runs = createRuns<WebhookEndpointId>({ healthyAtOnce, failingAtOnce })
  const ctxOf = (customer: Customer): SendCtx => ({
    customer,
    clock: deps.clock,
    log: deps.log,
    secret: deps.secret,
    publicRequests: deps.publicRequests,
    inTransaction: (work) => withTenant(deps.pool, customer.id, work),
    signal: runs.signal,
  })

  /** Begins to send what is due of a store. Returns the runs of its endpoints. */
  const beginDue = async (customer: Customer): Promise<Promise<void>[]> => {
    const ctx = ctxOf(customer)
    const due = await ctx.inTransaction((db) => readDueEndpoints(db, customer.id, deps.clock.now()))
    return due.map(({ id, isFailing }) => runs.begin(id, isFailing, () => sendBatch(ctx, id)))
  }

  return {
    beginDue,
    /** Sends what is due of a store. */
    deliverDue: async (customer: Customer): Promise<void> => {
      await Promise.all(await beginDue(customer))
    },
    [Symbol.asyncDispose]: () => runs[Symbol.asyncDispose](),
  }
}

/** Wakes the processes that send, if deliveries of a store are due. */
export const wakeWebhookSenders = ({ pool, clock }: WebhookDeps, { id }: Customer) =>
  withTenant(pool, id, async (db) => {
    if (await hasDueDeliveries(db, id, clock.now())) await announceDeliveries(db, id)
  })

/** How long the log has an event. */
const eventDays = 30
const eventsAtOnce = 1_000

/** Deletes events that are too old for the log, with their deliveries. */
export const deleteOldWebhookEvents = async ({ pool, clock }: WebhookDeps, { id }: Customer) => {
  const before = new Date(clock.now().getTime() - eventDays * dayMilliseconds)
  while ((await withTenant(pool, id, (db) => deleteOldEvents(db, id, before, eventsAtOnce))) === eventsAtOnce);
}

/** Sends each event as soon as it is committed. The sweep wakes it for what is due later. */
export const startWebhooks = (deps: WebhookDeps): AsyncDisposable => {
  const sender = createWebhookSender(deps)
  const failed = 'Webhooks could not be sent; the next scheduled run sends them'
  const work = async (id: CustomerId) => {
    const customer = await readCustomer(deps.pool, id)
    for (const run of customer ? await sender.beginDue(customer) : [])
      run.catch((error: unknown) => deps.log.error({ err: error }, failed))
  }
  const listener = followWork(deps, { channel: webhookChannel, name: 'marquee-webhooks', failed }, work)
  return {
    [Symbol.asyncDispose]: async () => {
      await listener[Symbol.asyncDispose]()
      await sender[Symbol.asyncDispose]()
    },
  }
}
