import { randomUUID } from 'node:crypto'
import { forgetKeysBefore } from '#api/db/queries/idempotency.ts'
import { rollUpEvents } from '#api/db/queries/roll-up.ts'
import { withTenant } from '#api/db/with-tenant.ts'
import type { Deps } from '#api/deps.ts'
import { reconcile } from '#api/domain/payments/reconcile.ts'
import { resolveCustomer } from '#api/domain/tenancy/resolve-customer.ts'
import { unattendedPaymentEnv } from '#api/payment-env.ts'
import type { Post } from '#api/payments/sandbox/deliveries.ts'

const webhookEvery = 1_000
const sweepEvery = 60_000
/** Views and plays added to the counts in one transaction. */
const eventsAtOnce = 5_000
const keepKeysMilliseconds = 48 * 3_600_000

interface Tenant {
  id: string
  code: string
}

const allTenants = async (deps: Deps): Promise<Tenant[]> =>
  (await deps.pool.query<Tenant>('SELECT customer_id AS id, code FROM customers ORDER BY code')).rows

/**
 * One pass over every tenant: payments brought in line with the provider, webhooks sent, views and plays added to the counts, old
 * keys forgotten. What fails at one tenant holds up no other.
 */
export const sweepTenants = async (deps: Deps, post: Post): Promise<void> => {
  for (const { code } of await allTenants(deps)) {
    const customer = await resolveCustomer(deps, code)
    if (!customer) continue
    try {
      await reconcile(unattendedPaymentEnv(deps, customer, randomUUID()))
      await deps.sandbox.deliverDue(customer, post)
      while ((await withTenant(deps.pool, customer.id, (db) => rollUpEvents(db, customer.id, eventsAtOnce))) > 0);
      const past = new Date(deps.clock.now().getTime() - keepKeysMilliseconds)
      await withTenant(deps.pool, customer.id, (db) => forgetKeysBefore(db, customer.id, past))
    } catch (error) {
      deps.log.error({ err: error, customer: code }, 'A tenant could not be swept')
    }
  }
}

/** Sends the webhooks of tenants with a payment that has just moved. */
export const deliverFreshWebhooks = async (deps: Deps, post: Post): Promise<void> => {
  const awake = new Set<string>(deps.sandbox.awake())
  if (awake.size === 0) return
  for (const { id, code } of await allTenants(deps)) {
    const customer = awake.has(id) ? await resolveCustomer(deps, code) : null
    if (customer) await deps.sandbox.deliverDue(customer, post)
  }
}

/**
 * Keeps things moving while the program runs: a sweep at the start and every minute, fresh webhooks every second. `post` answers
 * a request to the API. Its timers keep no process alive; disposing waits for a pass under way.
 */
export const startRecurringJobs = (deps: Deps, post: Post): AsyncDisposable => {
  let stopped = false
  let running: Promise<void> | null = null
  const run = (pass: (deps: Deps, post: Post) => Promise<void>) => {
    if (stopped) return
    const pending = (running ?? Promise.resolve())
      .then(() => pass(deps, post))
      .catch((error: unknown) => deps.log.error({ err: error }, 'A recurring job failed'))
      .finally(() => {
        if (running === pending) running = null
      })
    running = pending
  }
  run(sweepTenants)
  const timers = [
    // Skipped while a pass is under way; a sweep waits its turn instead.
    setInterval(() => running ?? run(deliverFreshWebhooks), webhookEvery),
    setInterval(() => run(sweepTenants), sweepEvery),
  ]
  for (const timer of timers) timer.unref()
  return {
    [Symbol.asyncDispose]: async () => {
      stopped = true
      for (const timer of timers) clearInterval(timer)
      await running
    },
  }
}
