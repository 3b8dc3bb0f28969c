import type pg from 'pg'
import { PgBoss, policies } from 'pg-boss'

/** Where the queue keeps its jobs. */
export const jobSchema = 'jobs'

const days = 86_400
/** A worker that was killed is missed after so long, and its job is free again. */
const heartbeatSeconds = 30

/**
 * The queues. ROUNDS: a pass over all tenants, one at a time in the whole installation. CHORES: what failed at one tenant, tried again
 * later and later; one that fails to the end is kept for a month, to be looked at.
 */
export const jobQueues = {
  rounds: {
    policy: policies.exclusive,
    retryLimit: 0,
    heartbeatSeconds,
    expireInSeconds: 1800,
    deleteAfterSeconds: days,
  },
  chores: {
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

/** Makes or updates the queue's own tables, as the role that owns them, and lets `appRole` work with them. */
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
  } finally {
    await boss.stop({ graceful: false })
  }
  await owner.query(`GRANT USAGE ON SCHEMA ${jobSchema} TO ${appRole}`)
  await owner.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${jobSchema} TO ${appRole}`)
  await owner.query(`GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${jobSchema} TO ${appRole}`)
}
