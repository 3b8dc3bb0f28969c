import type pg from 'pg'
import { PgBoss, policies } from 'pg-boss'

/** The database schema of the job queue. */
export const jobSchema = 'jobs'

const days = 86_400
/** A job becomes available again when its worker has sent no heartbeat for this long. */
const heartbeatSeconds = 30

/**
 * The queues. RECURRING-JOBS: passes over all tenants, one at a time in the installation.
 * FAILED-TASKS: tasks that failed at one tenant, retried with increasing delays. A task that fails
 * for good is kept for a month, so that operators can inspect it.
 */
export const jobQueues = {
  'recurring-jobs': {
    policy: policies.exclusive,
    retryLimit: 0,
    heartbeatSeconds,
    expireInSeconds: 1800,
    deleteAfterSeconds: days,
  },
  'failed-tasks': {
    policy: policies.exclusive,
    retryLimit: 6,
    retryDelay: 15,
    retryBackoff: true,
    retryDelayMax: 3600,
    heartbeatSeconds,
    expireInSeconds: 600,
    deleteAfterSeconds: 30 * days,
  },
} as const

/** Queues of earlier versions. Their jobs recur or are found again by the next sweep. */
const formerQueues = ['rounds', 'chores']

/** Creates or updates the tables of the queue as their owner, and grants `appRole` access. */
export const prepareJobQueues = async (owner: pg.Client, appRole: string) => {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => owner.query(text, values && [...values]) },
    schema: jobSchema,
    supervise: false,
    schedule: false,
  })
  boss.on('error', () => {})
  await boss.start()
  try {
    const there = new Set((await boss.getQueues()).map(({ name }) => name))
    for (const [name, options] of Object.entries(jobQueues)) if (!there.has(name)) await boss.createQueue(name, options)
    for (const name of formerQueues) if (there.has(name)) await boss.deleteQueue(name)
  } finally {
    await boss.stop({ graceful: false })
  }
  await owner.query(`GRANT USAGE ON SCHEMA ${jobSchema} TO ${appRole}`)
  await owner.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${jobSchema} TO ${appRole}`)
  await owner.query(`GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${jobSchema} TO ${appRole}`)
}

/** The jobs of one queue in one state, in the whole installation. */
export interface JobCount {
  queue: string
  state: string
  count: number
  /** How long the oldest one has been due or running. Zero if it is not due yet. */
  oldestSeconds: number
}

/** Reads the number and the age of the jobs that are kept in the queue. */
export const readJobCounts = async (pool: pg.Pool): Promise<JobCount[]> => {
  const { rows } = await pool.query<JobCount>(
    `SELECT name AS queue, state::text AS state, count(*)::int AS count,
       greatest(0, extract(epoch FROM now() - min(coalesce(started_on, start_after))))::float AS "oldestSeconds"
     FROM ${jobSchema}.job GROUP BY name, state`,
  )
  return rows
}

export type FailingJob = {
  customer: string
  task: string
  state: 'failed' | 'retry'
  tries: number
  since: string
  failure: string | null
}

/** Background jobs that failed or wait for a retry, latest first. */
export const readFailingJobs = async (pool: pg.Pool): Promise<FailingJob[]> => {
  const { rows } = await pool.query<FailingJob>(
    `SELECT data->>'customer' AS customer, data->>'task' AS task, state, retry_count AS tries, created_on AS since,
            output->>'message' AS failure
       FROM ${jobSchema}.job WHERE name = 'failed-tasks' AND state IN ('failed', 'retry') ORDER BY created_on DESC LIMIT 100`,
  )
  return rows
}

/** Limits how much work runs at once. What waits begins in its order. */
const createSlots = (count: number) => {
  const waiting: (() => void)[] = []
  let free = count
  return async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    if (free > 0) free--
    else
      await new Promise<void>((begin) => {
        waiting.push(begin)
      })
    try {
      return await work()
    } finally {
      const begin = waiting.shift()
      if (begin) begin()
      else free++
    }
  }
}

/** Of a run: whether it has to go on, and whether the other side has failed. */
export interface RunOutcome {
  hasMore: boolean
  isFailing: boolean
}

/**
 * Runs work that waits for others, with one run for each key: a slow one holds up no other, and
 * those that fail wait for each other alone.
 */
export const createRuns = <Key>({ healthyAtOnce, failingAtOnce }: { healthyAtOnce: number; failingAtOnce: number }) => {
  const stop = new AbortController()
  const slots = { healthy: createSlots(healthyAtOnce), failing: createSlots(failingAtOnce) }
  const runs = new Map<Key, { hasNews: boolean; done: Promise<void> }>()
  return {
    /** Aborted when the process stops. */
    signal: stop.signal,
    /** Begins a run, or lets the running one go on once more. Returns its end. */
    begin: (key: Key, isFailing: boolean, work: () => Promise<RunOutcome>): Promise<void> => {
      const running = runs.get(key)
      if (running) {
        running.hasNews = true
        return running.done
      }
      const run = { hasNews: true, done: Promise.resolve() }
      const runOn = async () => {
        let isSlow = isFailing
        while (run.hasNews && !stop.signal.aborted) {
          run.hasNews = false
          const outcome = await (isSlow ? slots.failing : slots.healthy)(work)
          isSlow = outcome.isFailing
          run.hasNews ||= outcome.hasMore
        }
      }
      run.done = runOn().finally(() => runs.delete(key))
      runs.set(key, run)
      return run.done
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('The process stops'))
      await Promise.allSettled([...runs.values()].map(({ done }) => done))
    },
  }
}
