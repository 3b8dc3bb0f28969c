import type pg from 'pg'

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
       FROM jobs.job WHERE name = 'failed-tasks' AND state IN ('failed', 'retry') ORDER BY created_on DESC LIMIT 100`,
  )
  return rows
}
