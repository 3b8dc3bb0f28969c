/**
 * Measures what a sweep costs over tenants without due work: `npm run node -- tests/bench/rounds.ts
 * --tenants 2000`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '#api/config.ts'
import { createDeps } from '#api/deps.ts'
import { createClient } from '#api/platform/db/client.ts'
import { sweepDueTenants, sweepTenants } from '#api/worker.ts'
import { startOwnPostgres } from '#tests/support/own-postgres.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { printFigures, record } from './figures.ts'
import { option } from './store.ts'

const tenants = option('tenants', 2_000)
await using postgres = await startOwnPostgres()
const owner = createClient({ connectionString: postgres.addresses.ownerUrl })
await owner.connect()
await owner.query(
  `INSERT INTO customers (customer_id, code, opened, settings)
   SELECT gen_random_uuid(), 'store-' || n, true, $1 FROM generate_series(1, $2::int) n`,
  [plainSettings(), tenants],
)
await owner.query('VACUUM ANALYZE customers')
const dataFolder = mkdtempSync(join(tmpdir(), 'marquee-rounds-'))
const config = { ...readConfig({ NODE_ENV: 'production' }), dataFolder }
const deps = createDeps({
  databaseUrl: postgres.addresses.url,
  secret: 'a-secret-for-measuring-that-is-long-enough',
  config,
  log: pino({ level: 'error' }),
})
const post = async () => new Response()
const rounds = [
  { name: 'of those with due work', sweep: sweepDueTenants, times: 20 },
  { name: 'of all tenants', sweep: sweepTenants, times: option('whole', 1) },
]
for (const { name, sweep, times } of rounds) {
  await sweep(deps, post)
  const [begun, before] = [performance.now(), process.cpuUsage()]
  for (let time = 0; time < times; time++) await sweep(deps, post)
  const { user, system } = process.cpuUsage(before)
  record(`sweep ${name}: time`, (performance.now() - begun) / times, 'ms')
  record(`sweep ${name}: CPU of the process`, (user + system) / 1e3 / times, 'ms')
}
printFigures()
await owner.end()
await deps[Symbol.asyncDispose]()
rmSync(dataFolder, { recursive: true })
