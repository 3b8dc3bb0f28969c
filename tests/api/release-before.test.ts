import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, test, vi } from 'vitest'
import { onClient, prepareDatabase, readSchemaState } from '#api/platform/db/migrate.ts'
import { customerBase } from '#contract/http.ts'
import type { CustomerCode } from '#contract/ids.ts'
import type { CrashPlan, CrashStep } from '#tests/support/crash-child.ts'
import { checkout, memberRequest, readLedger } from '#tests/support/crash-store.ts'
import { firstRelease } from '#tests/support/database-before.ts'
import type { LoadNumbers, LoadPlan } from '#tests/support/load-child.ts'
import { createDatabase } from '#tests/support/own-database.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant, password } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const run = promisify(execFile)
const api = createTestApi()

/** Since this migration, all of them only add. */
const firstAdding = 'api/platform/db/migrations/0022_blocked-members.sql'

/** The last migration that locks many tables at once, so that busy stores would hold it up. */
const lastJoint = 'api/platform/db/migrations/0026_due-work.sql'

/** The commit that added a migration; empty without its history. */
const commitOf = (migration: string) => {
  try {
    return execFileSync('git', ['log', '--diff-filter=A', '--format=%H', '--', migration], {
      encoding: 'utf8',
    }).trim()
  } catch {
    return ''
  }
}
const commit = commitOf(firstAdding)

/** The sources of a commit, with the packages of the present one. */
const openSources = async (commit: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-before-'))
  const archive = join(folder, 'sources.tar')
  await run('git', [
    'archive',
    '--output',
    archive,
    commit,
    ...'api contract server tests/support package.json'.split(' '),
  ])
  await run('tar', ['xf', archive, '-C', folder])
  await symlink(resolve('node_modules'), join(folder, 'node_modules'))
  await copyFile('tests/support/load-child.ts', join(folder, 'tests/support/load-child.ts'))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

test.skipIf(commit === '' || inject('cluster') !== null)(
  'code from before the latest migrations serves, sells and works on a migrated database',
  { timeout: 120_000 },
  async () => {
    const settings = plainSettings()
    settings.order.useSubscribe = true
    const tenant = await createTenant(api, { settings })
    const [member, product] = [await tenant.createMember(), await tenant.createProduct({ title: 'Night train' })]
    const get = (path: string): CrashStep => ({ do: 'request', method: 'GET', path: customerBase(tenant.code) + path })
    const steps: CrashStep[] = [
      ...['/site-settings', '/categories', '/new-search?q=night', `/new-products/${product.id}`, '/plans'].map(get),
      memberRequest(tenant, member, '/login', { email: member.email, password }),
      ...checkout(tenant, member, product),
      ...['payments', 'mails', 'subscriptions', 'videos'].map(
        (task): CrashStep => ({ do: 'task', customer: tenant.code, task }),
      ),
    ]
    const { url, jobsUrl } = inject('database')
    const plan: CrashPlan = {
      databaseUrl: url,
      jobsDatabaseUrl: jobsUrl,
      secret: api.deps.secret,
      ahead: api.clock.now().getTime() - Date.now(),
      runs: [{ killAt: 0, steps }],
    }
    await using sources = await openSources(commit)
    // It fails with the answer of a request that is refused.
    await run(process.execPath, [join(sources.folder, 'tests/support/crash-child.ts'), JSON.stringify(plan)], {
      cwd: sources.folder,
    })

    expect(await readLedger({ tenant, member, product })).toMatchObject({
      charges: 1,
      entitlements: 1,
      statuses: ['PAYMENT_COMPLETE'],
    })
    expect((await member.client.engagement.purchased({})).items.map(({ title }) => title)).toEqual(['Night train'])
  },
)

/** Migrates a database by other sources. Returns its address for their processes. */
const migrateBy = async (folder: string, ownerUrl: string) => {
  const program = `import('#api/platform/db/migrate.ts')
    .then(({ prepareDatabase }) => prepareDatabase({ ownerUrl: process.argv[1] })).then(console.log)`
  const { stdout } = await run(process.execPath, ['--eval', program, ownerUrl], { cwd: folder })
  return stdout.trim()
}

/** Starts a process of other sources that serves readers and buyers without a pause. */
const startLoad = (folder: string, plan: LoadPlan) => {
  const child = spawn(process.execPath, [join(folder, 'tests/support/load-child.ts'), JSON.stringify(plan)], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (output += part))
  const numbers = (): LoadNumbers => JSON.parse(output.trimEnd().split('\n').at(-1) || '{"requests":0,"failures":[]}')
  return {
    /** Waits for more answers than the process has given so far. */
    more: async () => {
      const { requests } = numbers()
      await vi.waitFor(
        () => {
          child.stdin.write('\n')
          expect(numbers().requests).toBeGreaterThan(requests + 60)
        },
        { timeout: 60_000, interval: 50 },
      )
    },
    end: async () => {
      child.stdin.end()
      expect(await ended).toEqual([0, null])
      return numbers()
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

test.skipIf(commit === '' || inject('cluster') !== null)(
  'code from before the latest migrations serves and sells while these run',
  { timeout: 120_000 },
  async () => {
    await using sources = await openSources(commitOf(lastJoint))
    const ownerUrl = await createDatabase(firstRelease())
    const databaseUrl = await migrateBy(sources.folder, ownerUrl)
    await using load = startLoad(sources.folder, {
      databaseUrl,
      base: customerBase('aurora' as CustomerCode),
      email: 'member@example.com',
      password: 'marquee-demo',
    })
    await load.more()
    await prepareDatabase({ ownerUrl })
    await load.more()
    expect((await load.end()).failures).toEqual([])
    expect(await onClient(ownerUrl, readSchemaState)).toBe('CURRENT')
  },
)
