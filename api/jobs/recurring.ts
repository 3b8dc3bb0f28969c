import { randomUUID } from 'node:crypto'
import type { Customer } from '#api/context.ts'
import { forgetKeysBefore } from '#api/db/queries/idempotency.ts'
import { rollUpEvents } from '#api/db/queries/roll-up.ts'
import { withTenant } from '#api/db/with-tenant.ts'
import type { Deps } from '#api/deps.ts'
import { tendCards } from '#api/domain/cards/tend-cards.ts'
import { forgetFiles } from '#api/domain/inquiries/forget-files.ts'
import { reconcile } from '#api/domain/payments/reconcile.ts'
import { remindDeposits } from '#api/domain/payments/remind-deposits.ts'
import { renewDue } from '#api/domain/subscriptions/renew-due.ts'
import { purge } from '#api/domain/tenancy/purge.ts'
import { resolveCustomer } from '#api/domain/tenancy/resolve-customer.ts'
import { unattendedPaymentEnv } from '#api/payment-env.ts'
import type { Post } from '#api/payments/sandbox/deliveries.ts'
import { sendMails } from './mailing.ts'
import { tendVideos } from './videos/recover.ts'
import { tidyVideos } from './videos/tidy.ts'

/** Views and plays added to the counts in one transaction. */
const eventsAtOnce = 5_000
/** Reminders written in one transaction. */
const mailsAtOnce = 200
/** Rows of a sort deleted in one transaction. */
const rowsAtOnce = 1_000
const keepKeysMilliseconds = 48 * 3_600_000

interface Tenant {
  id: string
  code: string
}

const allTenants = async (deps: Deps): Promise<Tenant[]> =>
  (await deps.pool.query<Tenant>('SELECT customer_id AS id, code FROM customers ORDER BY code')).rows

type Chore = (deps: Deps, customer: Customer, post: Post) => Promise<unknown>

/** What a sweep does for one tenant, in this order. */
const sweep: Record<string, Chore> = {
  payments: (deps, customer) => reconcile(unattendedPaymentEnv(deps, customer, randomUUID())),
  deposits: ({ pool, clock }, customer) =>
    withTenant(pool, customer.id, (db) => remindDeposits({ customer, db, clock }, mailsAtOnce)),
  cards: (deps, customer) => tendCards(unattendedPaymentEnv(deps, customer, randomUUID())),
  subscriptions: (deps, customer) => renewDue(unattendedPaymentEnv(deps, customer, randomUUID())),
  webhooks: (deps, customer, post) => deps.sandbox.deliverDue(customer, post),
  mails: (deps, customer) => sendMails(deps, customer),
  videos: (deps, customer) => tendVideos(deps, customer),
  counts: async (deps, { id }) => {
    while ((await withTenant(deps.pool, id, (db) => rollUpEvents(db, id, eventsAtOnce))) > 0);
  },
}

const tidying: Record<string, Chore> = {
  keys: (deps, { id }) => {
    const past = new Date(deps.clock.now().getTime() - keepKeysMilliseconds)
    return withTenant(deps.pool, id, (db) => forgetKeysBefore(db, id, past))
  },
  files: async (deps, customer) => {
    const { clock, pool, storage } = deps
    // Inside the transaction: a file that cannot be removed now keeps its row, and is tried again.
    await withTenant(pool, customer.id, async (db) => {
      const gone = await forgetFiles({ customer, db, clock }, rowsAtOnce)
      await Promise.all(gone.map((key) => storage.remove(key)))
    })
  },
  videoFiles: (deps, customer) => tidyVideos(deps, customer),
  purge: async (deps, customer) => {
    const { clock, pool } = deps
    while (await withTenant(pool, customer.id, (db) => purge({ customer, db, clock }, rowsAtOnce)));
  },
}

/** One chore at one tenant that failed, to be tried again. */
export interface FailedChore {
  customer: string
  chore: string
}

/** Does the work; a failure is logged and answered, and holds up nothing else. */
const apart = async (deps: Deps, about: FailedChore, work: () => Promise<unknown>): Promise<FailedChore[]> => {
  try {
    await work()
    return []
  } catch (error) {
    deps.log.error({ err: error, ...about }, 'A recurring job failed')
    return [about]
  }
}

const passOver = async (deps: Deps, post: Post, chores: Record<string, Chore>): Promise<FailedChore[]> => {
  const failed: FailedChore[] = []
  for (const { code } of await allTenants(deps)) {
    const customer = await resolveCustomer(deps, code)
    if (!customer) continue
    for (const [chore, run] of Object.entries(chores))
      failed.push(...(await apart(deps, { customer: code, chore }, () => run(deps, customer, post))))
  }
  return failed
}

/** Tries one chore again; throws what it throws. A chore or a tenant that is there no more is done with. */
export const runChore = async (deps: Deps, post: Post, { customer: code, chore }: FailedChore): Promise<void> => {
  const customer = await resolveCustomer(deps, code)
  const run = { ...sweep, ...tidying }[chore]
  if (customer && run) await run(deps, customer, post)
}

/** One pass: payments brought in line with the provider, webhooks sent, views and plays added to the counts. */
export const sweepTenants = (deps: Deps, post: Post) => passOver(deps, post, sweep)

/** One pass: old keys forgotten, ended sessions and stale guests deleted. */
export const tidyTenants = (deps: Deps, post: Post) => passOver(deps, post, tidying)

/** The passes, by the name their rounds have in the queue. */
export const rounds = { sweep: sweepTenants, tidy: tidyTenants } as const
export type Round = keyof typeof rounds

/** Sends the webhooks of tenants with a payment that has just moved. */
export const deliverFreshWebhooks = async (deps: Deps, post: Post): Promise<void> => {
  const awake = new Set<string>(deps.sandbox.awake())
  if (awake.size === 0) return
  for (const { id, code } of await allTenants(deps)) {
    const customer = awake.has(id) ? await resolveCustomer(deps, code) : null
    if (customer)
      await apart(deps, { customer: code, chore: 'webhooks' }, () => deps.sandbox.deliverDue(customer, post))
  }
}
