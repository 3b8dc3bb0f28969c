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
