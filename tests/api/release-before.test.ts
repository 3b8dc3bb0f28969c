import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { customerBase } from '#contract/http.ts'
import type { CrashPlan, CrashStep } from '#tests/support/crash-child.ts'
import { checkout, memberRequest, readLedger } from '#tests/support/crash-store.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant, password } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const run = promisify(execFile)
const api = createTestApi()

/** Since this migration, all of them only add. */
const firstAdding = 'api/platform/db/migrations/0022_blocked-members.sql'

/** The first commit whose schema such migrations alone follow; empty without its history. */
const findCommit = () => {
  try {
    return execFileSync('git', ['log', '--diff-filter=A', '--format=%H', '--', firstAdding], {
      encoding: 'utf8',
    }).trim()
  } catch {
    return ''
  }
}
const commit = findCommit()

/** The sources of that commit, with the packages of the present one. */
const openSources = async () => {
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
    await using sources = await openSources()
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
