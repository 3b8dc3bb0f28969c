import { randomUUID } from 'node:crypto'
import { PgBoss } from 'pg-boss'
import { rollUpEvents } from '#api/modules/analytics/analytics.queries.ts'
import { maintainCards } from '#api/modules/billing/cards.jobs.ts'
import { remindDeposits } from '#api/modules/billing/deposits.ts'
import { unattendedPaymentEnv } from '#api/modules/billing/providers/providers.ts'
import type { Post } from '#api/modules/billing/providers/sandbox/hosted-page.ts'
import { reconcile } from '#api/modules/billing/reconcile-payments.ts'
import { sendMails, startFreshMails } from '#api/modules/mail/mail.jobs.ts'
import { startEncoders } from '#api/modules/media/encoding/encoders.ts'
import { cleanUpVideos, removeOldVideoFiles } from '#api/modules/media/encoding/recover.ts'
import { purge } from '#api/modules/privacy/retention.ts'
import { renewDue } from '#api/modules/subscriptions/renewals.ts'
import { deleteLooseFiles } from '#api/modules/support/inquiries.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { readTenants } from '#api/modules/tenancy/tenancy.queries.ts'
import type { Customer } from '#api/platform/context.ts'
import { withTenant } from '#api/platform/db/client.ts'
import { jobSchema } from '#api/platform/db/job-queues.ts'
import { deleteKeysBefore } from '#api/platform/idempotency.queries.ts'
import type { Deps } from './deps.ts'

/** Views and plays added to the counts in one transaction. */
const eventsAtOnce = 5_000
/** Reminders written in one transaction. */
const mailsAtOnce = 200
/** Rows of a sort deleted in one transaction. */
const rowsAtOnce = 1_000
const keyRetentionMilliseconds = 48 * 3_600_000

type Chore = (deps: Deps, customer: Customer, post: Post) => Promise<unknown>

/** What a sweep does for one tenant, in this order. */
const sweep: Record<string, Chore> = {
  payments: (deps, customer) => reconcile(unattendedPaymentEnv(deps, customer, randomUUID())),
  deposits: ({ pool, clock }, customer) =>
    withTenant(pool, customer.id, (db) => remindDeposits({ customer, db, clock }, mailsAtOnce)),
  cards: (deps, customer) => maintainCards(unattendedPaymentEnv(deps, customer, randomUUID())),
  subscriptions: (deps, customer) => renewDue(unattendedPaymentEnv(deps, customer, randomUUID())),
  webhooks: (deps, customer, post) => deps.sandbox.deliverDue(customer, post),
  mails: (deps, customer) => sendMails(deps, customer),
  videos: (deps, customer) => cleanUpVideos(deps, customer),
  counts: async (deps, { id }) => {
    while ((await withTenant(deps.pool, id, (db) => rollUpEvents(db, id, eventsAtOnce))) > 0);
  },
}

const tidying: Record<string, Chore> = {
  keys: (deps, { id }) => {
    const past = new Date(deps.clock.now().getTime() - keyRetentionMilliseconds)
    return withTenant(deps.pool, id, (db) => deleteKeysBefore(db, id, past))
  },
  files: async (deps, customer) => {
    const { clock, pool, storage } = deps
    // Inside the transaction: a file that cannot be removed now keeps its row, and is tried again.
    await withTenant(pool, customer.id, async (db) => {
      const assets = await deleteLooseFiles({ customer, db, clock }, rowsAtOnce)
      await Promise.all(assets.map((key) => storage.remove(key)))
    })
  },
  videoFiles: (deps, customer) => removeOldVideoFiles(deps, customer),
  purge: async (deps, customer) => {
    const { clock, pool } = deps
    while (await withTenant(pool, customer.id, (db) => purge({ customer, db, clock }, rowsAtOnce)));
  },
}

/** One chore at one tenant that failed, to be tried again. */
export interface FailedTask {
  customer: string
  chore: string
}

/** Does the work; a failure is logged and answered, and holds up nothing else. */
const runLogged = async (deps: Deps, about: FailedTask, work: () => Promise<unknown>): Promise<FailedTask[]> => {
  try {
    await work()
    return []
  } catch (error) {
    deps.log.error({ err: error, ...about }, 'A recurring job failed')
    return [about]
  }
}

const runForAll = async (deps: Deps, post: Post, chores: Record<string, Chore>): Promise<FailedTask[]> => {
  const failed: FailedTask[] = []
  for (const { code } of await readTenants(deps.pool)) {
    const customer = await resolveCustomer(deps, code)
    if (!customer) continue
    for (const [chore, run] of Object.entries(chores))
      failed.push(...(await runLogged(deps, { customer: code, chore }, () => run(deps, customer, post))))
  }
  return failed
}

/** Tries one chore again; throws what it throws. A chore or a tenant that is there no more is done with. */
export const runTask = async (deps: Deps, post: Post, { customer: code, chore }: FailedTask): Promise<void> => {
  const customer = await resolveCustomer(deps, code)
  const run = { ...sweep, ...tidying }[chore]
  if (customer && run) await run(deps, customer, post)
}

/** One pass: payments brought in line with the provider, webhooks sent, views and plays added to the counts. */
export const sweepTenants = (deps: Deps, post: Post) => runForAll(deps, post, sweep)

/** One pass: old keys forgotten, ended sessions and stale guests deleted. */
export const tidyTenants = (deps: Deps, post: Post) => runForAll(deps, post, tidying)

/** The passes, by the name their rounds have in the queue. */
export const rounds = { sweep: sweepTenants, tidy: tidyTenants } as const
export type Round = keyof typeof rounds

/** Sends the webhooks of tenants with a payment that has just moved. */
export const deliverFreshWebhooks = async (deps: Deps, post: Post): Promise<void> => {
  const awake = new Set<string>(deps.sandbox.awake())
  if (awake.size === 0) return
  for (const { id, code } of await readTenants(deps.pool)) {
    const customer = awake.has(id) ? await resolveCustomer(deps, code) : null
    if (customer)
      await runLogged(deps, { customer: code, chore: 'webhooks' }, () => deps.sandbox.deliverDue(customer, post))
  }
}

const second = 1_000
/** When each round is due, as cron says it. */
const timetable: Record<Round, string> = { sweep: '* * * * *', tidy: '7 * * * *' }

export interface WorkerOptions {
  /** Of the role that serves requests. */
  databaseUrl: string
  /** Answers a request to the API: the sandbox's webhooks go through the front door. */
  post: Post
}

/**
 * Does the work nobody waits for: a round over all tenants every minute, tidying every hour, and what failed in them again, later and
 * later. The queue is in the database, so that any number of workers share it, one round runs at a time, and a crash loses nothing:
 * every chore can be run twice. Disposing lets what is under way come to its end.
 */
export const startWorker = async (deps: Deps, { databaseUrl, post }: WorkerOptions): Promise<AsyncDisposable> => {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'marquee jobs',
    schema: jobSchema,
    max: 3,
    migrate: false,
    createSchema: false,
    reindex: false,
    superviseIntervalSeconds: 30,
    monitorIntervalSeconds: 30,
  })
  let stopped = false
  // Its last connections are still closing when it has stopped: a database that closes them first is no fault.
  boss.on('error', (error) => {
    if (!stopped) deps.log.warn({ err: error }, 'The job queue had an error')
  })
  await boss.start()

  await boss.work<{ round: Round }>('rounds', { pollingIntervalSeconds: 2 }, async ([job]) => {
    const pass = job && rounds[job.data.round]
    if (!pass) return
    const failed = await pass(deps, post)
    if (failed.length > 0)
      await boss.insert(
        'chores',
        failed.map((chore) => ({ data: chore, singletonKey: `${chore.customer} ${chore.chore}` })),
      )
  })
  await boss.work<FailedTask>('chores', { pollingIntervalSeconds: 5 }, async ([job]) => {
    if (job) await runTask(deps, post, job.data)
  })
  for (const [round, cron] of Object.entries(timetable)) {
    await boss.schedule('rounds', cron, { round }, { key: round, singletonKey: round })
    // What came due while nobody worked is not left until the next minute, whatever a worker that was killed has left behind.
    await boss.send('rounds', { round }, { singletonKey: `${round} ${randomUUID()}` })
  }

  const mails = startFreshMails(deps)
  const encoders = await startEncoders(deps)
  const fresh = repeat(second, async () => {
    await deps.storeClock?.refresh()
    await deliverFreshWebhooks(deps, post)
  })
  return {
    [Symbol.asyncDispose]: async () => {
      await mails[Symbol.asyncDispose]()
      await encoders[Symbol.asyncDispose]()
      await fresh[Symbol.asyncDispose]()
      await boss.stop({ graceful: true, timeout: 20_000 })
      stopped = true
    },
  }

  /** Runs the work again and again, never beside itself; its timer keeps no process alive. */
  function repeat(milliseconds: number, work: () => Promise<void>): AsyncDisposable {
    let running: Promise<void> | null = null
    const timer = setInterval(() => {
      running ??= work()
        .catch((error: unknown) => deps.log.warn({ err: error }, 'Fresh work was put off'))
        .finally(() => {
          running = null
        })
    }, milliseconds)
    timer.unref()
    return {
      [Symbol.asyncDispose]: async () => {
        clearInterval(timer)
        await running
      },
    }
  }
}
