import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { and, count, eq, sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { members } from '#api/modules/identity/identity.schema.ts'
import { audit } from '#api/platform/db/platform.schema.ts'
import { bulkJobId, memberId } from '#contract/ids.ts'
import type { BulkWorkerOptions } from '#tests/support/bulk-worker-child.ts'
import { bundledProgram } from '#tests/support/bundled-program.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

// Its workers take any job of the database, so other test files use another one.
const database = await ownDatabase()
const api = createTestApi({ database })
const program = await bundledProgram('tests/support/bulk-worker-child.ts')

/** A worker in a process of its own. */
const startWorker = async () => {
  const options: BulkWorkerOptions = {
    databaseUrl: database.url,
    jobsDatabaseUrl: database.jobsUrl,
    secret: api.deps.secret,
    dataFolder: api.deps.dataFolder,
  }
  const child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<string | null>((resolve) => child.once('close', (_code, signal) => resolve(signal)))
  let output = ''
  child.stdout.on('data', (part) => (output += part))
  const kill = () => {
    child.kill('SIGKILL')
    return ended
  }
  await vi
    .waitFor(() => expect(output).toContain('ready'), { timeout: 30_000, interval: 20 })
    .catch(async (error) => {
      await kill()
      throw error
    })
  const end = async () => void (await kill())
  return { parts: () => output.split('part\n').length - 1, kill, [Symbol.asyncDispose]: end }
}

/** Waits until the workers have done what they do at their start. */
const untilAtRest = () =>
  vi.waitFor(
    async () => {
      const { rows } = await api.owner.execute(sql`SELECT name FROM jobs.job WHERE state < 'completed'`)
      expect(rows).toEqual([])
    },
    { timeout: 30_000, interval: 100 },
  )

test('a job is begun at once by a worker of another process; if that is killed, another worker finishes it', async () => {
  await using one = await startWorker()
  await using other = await startWorker()
  const tenant = await createTenant(api)
  const { bulk } = (await tenant.createStaff('SUPPORT')).client.admin
  const total = 500
  await tenant.within((db) =>
    db.insert(members).values(
      Array.from({ length: total }, (_, at) => ({
        customerId: tenant.id,
        id: memberId.parse(randomUUID()),
        passwordHash: 'x',
        name: `Guest ${at}`,
        email: `guest-${at}@example.com`,
        emailLower: `guest-${at}@example.com`,
      })),
    ),
  )
  await untilAtRest()

  const id = bulkJobId.parse(randomUUID())
  await bulk.start({ id, kind: 'MEMBER_TAGS', filters: {}, change: { add: ['fair'] } })
  const busy = await vi.waitFor(
    () => {
      const worker = [one, other].find(({ parts }) => parts() > 2)
      if (!worker) throw new Error('No worker has begun the job.')
      return worker
    },
    { timeout: 20_000, interval: 5 },
  )
  expect(await busy.kill()).toBe('SIGKILL')
  const { job } = await bulk.get({ id })
  expect(job).toMatchObject({ status: 'RUNNING', total })
  expect(job.done).toBeLessThan(total)

  // What the schedule does every minute.
  await api.owner.execute(sql`INSERT INTO jobs.job (name, data) VALUES ('recurring-jobs', '{"name":"sweep"}')`)
  await vi.waitFor(async () => expect((await bulk.get({ id })).job.status).toBe('DONE'), {
    timeout: 30_000,
    interval: 100,
  })
  expect((await bulk.get({ id })).job).toMatchObject({ done: total, changed: total, failed: 0 })
  const entries = await tenant.within((db) =>
    db
      .select({ number: count() })
      .from(audit)
      .where(and(eq(audit.customerId, tenant.id), eq(audit.action, 'member.tagged'))),
  )
  expect(entries).toEqual([{ number: total }])
}, 120_000)
