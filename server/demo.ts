import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Config, readConfig } from '#api/config.ts'
import { createOwnerPool } from '#api/platform/db/client.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import { DEMO_TENANTS } from '#demo/content/tenants.ts'
import { DEMO_EMAIL, DEMO_OPERATOR, DEMO_PASSWORD, SECOND_EMAIL, seedDemo } from '#demo/seed.ts'
import { removeEmbeddedPostgres } from './embedded-postgres.ts'
import type { OpenDatabase } from './open-database.ts'
import { requireFreePort } from './open-port.ts'
import { createProgress } from './progress.ts'
import { runUntilStopped } from './run.ts'
import { loadOrCreateSecret } from './secret.ts'
import { startMarquee } from './start.ts'

process.env.NODE_ENV ??= 'production'

const flags = new Set(process.argv.slice(2))
const fromSources = flags.has('--dev')
// The storefront reads this variable from the environment.
process.env.DEFAULT_CUSTOMER_CODE ??= 'aurora'

const asDemo = { production: false, demo: true, environment: fromSources ? 'development' : 'demo' } as const

const fill = async ({ ownerUrl }: OpenDatabase, config: Config, onProgress: (doing: string) => void) => {
  if (!ownerUrl) throw new OperatorError('Set DATABASE_OWNER_URL so that the demo can create its stores.')
  const owner = createOwnerPool(ownerUrl, 2)
  try {
    const secret = config.secret ?? (await loadOrCreateSecret(config.dataFolder))
    await seedDemo(owner, secret, (doing, done, total) => onProgress(`${doing} (${done + 1} of ${total})`))
  } finally {
    await owner.end()
  }
}

/** Imported only here, because production has no Vite. */
const openFromSources = async (config: Config) => {
  const { openDevServer } = await import('./dev-server.ts')
  return openDevServer(config)
}

const showStores = (url: string) => {
  const { port } = new URL(url)
  const stores = DEMO_TENANTS.map(({ code, settings }) => [
    `http://${code}.localhost:${port}`,
    settings.base.name ?? code,
  ])
  const width = Math.max(...stores.map(([address = '']) => address.length))
  console.log('\nMarquee is ready.\n')
  for (const [address = '', name] of stores) console.log(`  ${address.padEnd(width)}  ${name}`)
  console.log(`\nSign in with ${DEMO_EMAIL} (owns some products and subscribes) or ${SECOND_EMAIL} (owns none),`)
  console.log(`password ${DEMO_PASSWORD}. API reference: http://localhost:${port}/api/v1/docs.`)
  console.log(`Manage a store in its console, ${stores[0]?.[0]}/admin, as ${DEMO_OPERATOR}, the same password.`)
  console.log(`All stores together are managed at http://admin.localhost:${port}/admin, by the same person.`)
  console.log(`Emails are not sent. Read them at http://localhost:${port}/mailbox.`)
  console.log(`Make test bank transfers at http://localhost:${port}/sandbox/bank.`)
  console.log('Press Ctrl+C to stop. Your data is kept for the next start.\n')
}

await runUntilStopped(async () => {
  const config = { ...readConfig({ LOG_LEVEL: 'warn', ...process.env }), ...asDemo }
  await requireFreePort(config)
  const progress = createProgress()
  if (flags.has('--fresh')) {
    progress.step('Removing the old data')
    await removeEmbeddedPostgres(join(config.dataFolder, 'postgres'))
  }
  const marquee = await startMarquee(config, {
    onProgress: progress.step,
    bundledMedia: fileURLToPath(new URL('../demo/media', import.meta.url)),
    prepare: (database) => fill(database, config, progress.step),
    ...(fromSources ? await openFromSources(config) : {}),
  })
  progress.done()
  showStores(marquee.url)
  return marquee
})
