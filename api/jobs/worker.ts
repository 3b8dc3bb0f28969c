import { randomUUID } from 'node:crypto'
import { PgBoss } from 'pg-boss'
import { jobSchema } from '#api/db/job-queues.ts'
import type { Deps } from '#api/deps.ts'
import type { Post } from '#api/payments/sandbox/deliveries.ts'
import { startFreshMails } from './mailing.ts'
import { deliverFreshWebhooks, type FailedChore, type Round, rounds, runChore } from './recurring.ts'
import { startEncoders } from './videos/encoders.ts'

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
    ...{ migrate: false, createSchema: false, reindex: false },
    ...{ superviseIntervalSeconds: 30, monitorIntervalSeconds: 30 },
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
  await boss.work<FailedChore>('chores', { pollingIntervalSeconds: 5 }, async ([job]) => {
    if (job) await runChore(deps, post, job.data)
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
