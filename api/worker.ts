import { randomUUID } from 'node:crypto'
import { PgBoss } from 'pg-boss'
import { tenantsWithDueWork } from '#api/modules/admin/admin-lists.queries.ts'
import { startBulkJobs, wakeBulkJobs } from '#api/modules/admin/bulk-jobs.ts'
import { countEvents } from '#api/modules/analytics/analytics.ts'
import { maintainCards } from '#api/modules/billing/cards.jobs.ts'
import { remindDeposits } from '#api/modules/billing/deposits.ts'
import { unattendedPaymentCtx } from '#api/modules/billing/payment-states.ts'
import type { Post } from '#api/modules/billing/providers/sandbox/hosted-page.ts'
import { reconcile } from '#api/modules/billing/reconcile-payments.ts'
import { applyScheduledPrices } from '#api/modules/catalog/product-actions.ts'
import { applyPlannedPages } from '#api/modules/content/store-content.ts'
import { mailEndedPartnerships } from '#api/modules/identity/member-changes.ts'
import { picturesInImports } from '#api/modules/import-export/export-catalog.ts'
import { startFreshMails, sweepMails } from '#api/modules/mail/mail.jobs.ts'
import { cleanUpVideos, removeOldVideoFiles, startEncoders } from '#api/modules/media/encoding/encoders.ts'
import { purge, removeUnusedPicturesDaily } from '#api/modules/privacy/retention.ts'
import { renewDue } from '#api/modules/subscriptions/renewals.ts'
import { deleteUnattachedFiles } from '#api/modules/support/inquiries.ts'
import { tenantsWithDueDomains } from '#api/modules/tenancy/domains.queries.ts'
import { checkDueDomains } from '#api/modules/tenancy/domains.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { findCustomerId, readTenants } from '#api/modules/tenancy/tenancy.queries.ts'
import { deleteOldWebhookEvents, startWebhooks, wakeWebhookSenders } from '#api/modules/webhooks/webhooks.jobs.ts'
import type { Customer } from '#api/platform/context.ts'
import { isDatabaseUnavailable, isDiskFull, withTenant } from '#api/platform/db/client.ts'
import { jobSchema } from '#api/platform/db/job-queues.ts'
import { deleteOldKeys } from '#api/platform/idempotency/idempotency.ts'
import { measureTask } from '#api/platform/telemetry/telemetry.ts'
import type { CustomerCode } from '#contract/ids.ts'
import type { Deps } from './deps.ts'

/** The number of reminders written in one transaction. */
const mailsAtOnce = 200
/** The number of rows deleted in one transaction. */
const rowsAtOnce = 1_000

type TenantTask = (deps: Deps, customer: Customer, post: Post) => Promise<unknown>

/** The tasks of a sweep for one tenant, in this order. */
const sweep: Record<string, TenantTask> = {
  payments: (deps, customer) => reconcile(unattendedPaymentCtx(deps, customer, randomUUID())),
  deposits: ({ pool, clock }, customer) =>
    withTenant(pool, customer.id, (db) => remindDeposits({ customer, db, clock }, mailsAtOnce)),
  cards: (deps, customer) => maintainCards(unattendedPaymentCtx(deps, customer, randomUUID())),
  subscriptions: (deps, customer) => renewDue(unattendedPaymentCtx(deps, customer, randomUUID())),
  prices: (deps, customer) => applyScheduledPrices(deps, customer),
  pages: (deps, customer) => applyPlannedPages(deps, customer),
  webhooks: (deps, customer, post) => deps.sandbox.deliverDue(customer, post),
  mails: (deps, customer) => sweepMails(deps, customer),
  outgoingWebhooks: (deps, customer) => wakeWebhookSenders(deps, customer),
  bulkJobs: (deps, customer) => wakeBulkJobs(deps, customer),
  videos: (deps, customer) => cleanUpVideos(deps, customer),
  counts: ({ pool }, { id }) => countEvents(pool, id),
}

const cleanup: Record<string, TenantTask> = {
  partnerships: ({ pool, clock }, customer) =>
    withTenant(pool, customer.id, (db) => mailEndedPartnerships({ customer, db, clock }, mailsAtOnce)),
  keys: (deps, { id }) => deleteOldKeys(deps, id),
  files: async (deps, customer) => {
    const { clock, pool, storage } = deps
    // Inside the transaction, so that a file that cannot be deleted keeps its row and is retried.
    await withTenant(pool, customer.id, async (db) => {
      const assets = await deleteUnattachedFiles({ customer, db, clock }, rowsAtOnce)
      await Promise.all(assets.map((key) => storage.remove(key)))
    })
  },
  webhookLog: (deps, customer) => deleteOldWebhookEvents(deps, customer),
  videoFiles: (deps, customer) => removeOldVideoFiles(deps, customer),
  pictures: (deps, customer) => removeUnusedPicturesDaily({ ...deps, picturesInImports }, customer),
  purge: async (deps, customer) => {
    const { clock, pool } = deps
    while (await withTenant(pool, customer.id, (db) => purge({ customer, db, clock }, rowsAtOnce)));
  },
}

/** A failed task of one tenant, to be retried. */
export interface FailedTask {
  customer: string
  task: string
}

/** Runs a task. A failure is logged and returned, so that it does not block other tasks. */
const runLogged = async (deps: Deps, about: FailedTask, work: () => Promise<unknown>): Promise<FailedTask[]> => {
  const startedAt = performance.now()
  try {
    await work()
    measureTask(about.task, false, performance.now() - startedAt)
    return []
  } catch (error) {
    measureTask(about.task, true, performance.now() - startedAt)
    if (isDiskFull(error)) deps.health.onDatabaseDiskFull(error)
    deps.log.error({ err: error, ...about }, 'A recurring job failed')
    return [about]
  }
}

/**
 * Returns a tenant; null if it does not exist, or the node of a cluster that has it is away, which
 * must not stop the work of the others. The next round includes it again.
 */
const readable = async (deps: Deps, code: CustomerCode): Promise<Customer | null> => {
  try {
    return await resolveCustomer(deps, code)
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
    // Ends the round if the database itself is away.
    await findCustomerId(deps.pool, code)
    deps.log.error({ err: error, customer: code }, 'A store cannot be read, so its background work waits')
    return null
  }
}

/** The tenants with due work, or all of them while a node cannot be asked. */
const findDueTenants = async ({ pool, clock }: Deps) => {
  try {
    return await tenantsWithDueWork(pool, clock.now())
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
    return readTenants(pool)
  }
}

const runFor = async (
  deps: Deps,
  post: Post,
  tasks: Record<string, TenantTask>,
  tenants: readonly { code: CustomerCode }[],
): Promise<FailedTask[]> => {
  const failed: FailedTask[] = []
  for (const { code } of tenants) {
    const customer = await readable(deps, code)
    if (!customer) continue
    for (const [task, run] of Object.entries(tasks))
      failed.push(...(await runLogged(deps, { customer: code, task }, () => run(deps, customer, post))))
  }
  return failed
}

/**
 * Retries one task. Ignores a task or a tenant that no longer exists.
 *
 * @throws the error of the task
 */
export const runTask = async (deps: Deps, post: Post, { customer: code, task }: FailedTask): Promise<void> => {
  const customer = await resolveCustomer(deps, code)
  const run = { ...sweep, ...cleanup }[task]
  if (customer && run) await run(deps, customer, post)
}

/** Runs one sweep over all tenants: all tasks of `sweep`, in their order. */
export const sweepTenants = async (deps: Deps, post: Post) => runFor(deps, post, sweep, await readTenants(deps.pool))

/**
 * Runs one sweep over the tenants with work that is due: most of a large installation have none in
 * a minute.
 */
export const sweepDueTenants = async (deps: Deps, post: Post) => runFor(deps, post, sweep, await findDueTenants(deps))

/** Runs one cleanup over all tenants: deletes old keys and files, and rows past their retention. */
const cleanUpTenants = async (deps: Deps, post: Post) => runFor(deps, post, cleanup, await readTenants(deps.pool))

/** The recurring jobs by their name in the queue. */
const recurringJobs = {
  sweep: sweepDueTenants,
  'whole-sweep': sweepTenants,
  cleanup: cleanUpTenants,
} as const
type RecurringJob = keyof typeof recurringJobs

/** Sends the webhooks of tenants whose payments have just changed. */
const deliverFreshWebhooks = async (deps: Deps, post: Post): Promise<void> => {
  const active = new Set<string>(deps.sandbox.activeCustomers())
  if (active.size === 0) return
  for (const { id, code } of await readTenants(deps.pool)) {
    const customer = active.has(id) ? await readable(deps, code) : null
    if (customer)
      await runLogged(deps, { customer: code, task: 'webhooks' }, () => deps.sandbox.deliverDue(customer, post))
  }
}

/**
 * Checks the hosts of all tenants that are due. Not a task of the sweep, which must not wait for a
 * silent name server.
 */
export const checkDomains = async (deps: Deps): Promise<void> => {
  const { pool, clock } = deps
  for (const id of await tenantsWithDueDomains(pool, clock.now()))
    await runLogged(deps, { customer: id, task: 'domains' }, () =>
      checkDueDomains(
        {
          customer: { id },
          clock,
          inTransaction: (work) => withTenant(pool, id, (db) => work({ db, clock, customer: { id } })),
        },
        deps,
      ),
    )
}

const second = 1_000
/** Milliseconds between two log lines about errors of the queue. */
const reportEvery = 5_000
/** The schedule of each recurring job in cron format. */
const schedules: Record<RecurringJob, string> = {
  sweep: '* * * * *',
  'whole-sweep': '37 * * * *',
  cleanup: '7 * * * *',
}

/**
 * Runs the background work: a sweep over the tenants with due work every minute, one over all and
 * a cleanup every hour, and retries of failed tasks with increasing delays. The queue is in the
 * database, so any number of workers share it and one recurring job runs at a time. A crash loses
 * nothing, because every task can run twice. Disposing waits for running tasks.
 *
 * @param post Handles a request to the API. The sandbox sends its webhooks through it
 */
export const startWorker = async (deps: Deps, post: Post): Promise<AsyncDisposable> => {
  const boss = new PgBoss({
    connectionString: deps.jobsDatabaseUrl,
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
  let reportedAt = Number.NEGATIVE_INFINITY
  // After the stop its last connections are still closing. A database that closes them first is no
  // failure. While it is away, every poll fails.
  boss.on('error', (error) => {
    if (stopped || performance.now() - reportedAt < reportEvery) return
    reportedAt = performance.now()
    deps.log.warn({ err: error }, 'The job queue had an error')
  })
  await boss.start()

  await boss.work<{ name: RecurringJob }>('recurring-jobs', { pollingIntervalSeconds: 2 }, async ([job]) => {
    const run = job && recurringJobs[job.data.name]
    if (!run) return
    const failed = await run(deps, post)
    if (failed.length > 0)
      await boss.insert(
        'failed-tasks',
        failed.map((task) => ({ data: task, singletonKey: `${task.customer} ${task.task}` })),
      )
  })
  await boss.work<FailedTask>('failed-tasks', { pollingIntervalSeconds: 5 }, async ([job]) => {
    if (job) await runTask(deps, post, job.data)
  })
  for (const [name, cron] of Object.entries(schedules)) {
    await boss.schedule('recurring-jobs', cron, { name }, { key: name, singletonKey: name })
    // Starts a job at once for work that became due while no worker ran.
    await boss.send('recurring-jobs', { name }, { singletonKey: `${name} ${randomUUID()}` })
  }

  const mails = startFreshMails(deps)
  const webhooks = startWebhooks(deps)
  const bulkJobs = startBulkJobs(deps)
  const encoders = await startEncoders(deps)
  const fresh = repeat(second, async () => {
    await deps.storeClock?.refresh()
    await deliverFreshWebhooks(deps, post)
  })
  const domains = repeat(15 * second, () => checkDomains(deps))
  return {
    [Symbol.asyncDispose]: async () => {
      for (const work of [domains, mails, webhooks, bulkJobs, encoders, fresh]) await work[Symbol.asyncDispose]()
      await boss.stop({ graceful: true, timeout: 20_000 })
      stopped = true
    },
  }

  /** Repeats the work without overlap. The timer does not keep the process alive. */
  function repeat(milliseconds: number, work: () => Promise<void>): AsyncDisposable {
    let running: Promise<void> | null = null
    const timer = setInterval(() => {
      running ??= work()
        .catch((error: unknown) =>
          deps.log.warn({ err: error }, 'New work could not be started; the next scheduled run starts it'),
        )
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
