import { rmSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareDatabase, schemaRefusals } from '#api/platform/db/migrate.ts'
import { startBadStorage } from '#tests/support/bad-storage.ts'
import { folderOf, quickCommandOf } from '#tests/support/command.ts'
import { freePort } from '#tests/support/free-port.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
import { onlyRootMounts, smallDisk } from '#tests/support/small-disk.ts'
import { openStripeServer, stripeSecrets } from '#tests/support/stripe-server.ts'

let database: Awaited<ReturnType<typeof ownDatabase>>
let folder: string
let owner: pg.Client
beforeAll(async () => {
  database = await ownDatabase()
  folder = await folderOf({})
  owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  rmSync(folder, { recursive: true, force: true })
})

const run = (env: Record<string, string> = {}, ...args: string[]) =>
  quickCommandOf({ deps: { dataFolder: folder } }, { database, env: { NODE_ENV: 'production', ...env } })(args)
const doctor = (env?: Record<string, string>) => run(env, 'doctor')

test('doctor finds nothing wrong where all works, and names what production lacks', async () => {
  const store = ['--code', 'acme', '--name', 'Acme', '--locale', 'en', '--currency', 'USD', '--timezone', 'UTC']
  await run({}, 'customer', 'create', ...store, '--host', 'acme.localhost')
  await run({}, 'customer', 'open', 'acme', '--force')
  const mails = await startMailServer()
  const works = await doctor({ SMTP_URL: mails.url, MAIL_FROM: 'store@example.com' })
  await mails.close()
  expect(works.code).toBe(0)
  for (const line of [
    'Database: PostgreSQL',
    'Clock: ',
    'Schema: ',
    'Roles: marquee_app ',
    'Database disk: ',
    'Email: ',
    'Media: ',
    'Tenants: ',
  ])
    expect(works.out).toContain(`✓ ${line}`)
  expect(works.out).toContain('· Payments: acme has no payment provider')
  expect(works.out).not.toMatch(/sandbox|demo|mailbox/)

  const lacks = await doctor()
  expect(lacks).toMatchObject({ code: 1 })
  expect(lacks.out).toContain('✗ Email: SMTP_URL is not set, so nobody can sign up')
  const port = await freePort()
  const silent = await doctor({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'store@example.com' })
  expect(silent.out).toContain(`✗ Email: The mail server 127.0.0.1:${port} of SMTP_URL cannot be used: `)
  const unknown = await doctor({ SMTP_URL: 'smtp://mail.invalid:25', MAIL_FROM: 'store@example.com' })
  expect(unknown.out).toContain('✗ DNS: The host mail.invalid of SMTP_URL cannot be found')
}, 60_000)

test('doctor names a table whose policy was switched off', async () => {
  await owner.query('ALTER TABLE orders DISABLE ROW LEVEL SECURITY')
  const { code, out } = await doctor()
  await owner.query('ALTER TABLE orders ENABLE ROW LEVEL SECURITY')
  expect(code).toBe(1)
  expect(out).toContain('✗ Tenants: Row-level security is off or has no policy for orders,')
})

test('doctor says that a database cannot be reached, and goes on', async () => {
  const url = `postgres://marquee_app:secret@127.0.0.1:${await freePort()}/marquee`
  const { code, out } = await doctor({ DATABASE_URL: url, DATABASE_OWNER_URL: '' })
  expect(code).toBe(1)
  expect(out).toContain('✗ Database: Cannot connect to the database at 127.0.0.1')
  expect(out).toContain('✓ Media: ')
})

test('doctor looks for the hosts of all configured addresses', async () => {
  const names = ['DATABASE_OWNER_URL', 'DATABASE_URL', 'JOBS_DATABASE_URL', 'DATABASE_REPLICA_URL'] as const
  const hostOf = (name: string) => `${name.toLowerCase().replaceAll('_', '-')}.invalid`
  const urls = names.map((name) => [name, `postgres://marquee_app:secret@${hostOf(name)}:5432/marquee`])
  const endpoint = 'OTEL_EXPORTER_OTLP_ENDPOINT'
  const { out } = await doctor({ ...Object.fromEntries(urls), [endpoint]: `http://${hostOf(endpoint)}:4318` })
  for (const name of [...names, endpoint])
    expect(out).toContain(`✗ DNS: The host ${hostOf(name)} of ${name} cannot be found`)
})

test('doctor names a storage that does not answer, a program that is missing and a full disk', async () => {
  await using storage = await startBadStorage()
  storage.behave('overloaded')
  const { endpoint, bucket, region, accessKey, secretKey } = storage.place
  using disk = smallDisk(8)
  if (!disk) console.log(`A full disk is not tried: ${onlyRootMounts}`)
  const { code, out } = await doctor({
    MEDIA_S3_ENDPOINT: endpoint,
    MEDIA_S3_BUCKET: bucket,
    MEDIA_S3_REGION: region,
    MEDIA_S3_ACCESS_KEY: accessKey,
    MEDIA_S3_SECRET_KEY: secretKey,
    FFMPEG_PATH: '/nonexistent/ffmpeg',
    ...(disk && { MARQUEE_DATA: disk.folder }),
  })
  expect(code).toBe(1)
  expect(out).toContain(`✗ Media: The storage at ${endpoint} does not answer. Check MEDIA_S3_ENDPOINT.`)
  expect(out).toContain('· Videos: FFMPEG_PATH is /nonexistent/ffmpeg, which is not a program.')
  if (disk) expect(out).toContain(`✗ Disk: The disk of ${disk.folder} has 0.0 GB of 0.0 GB left. Free some,`)
}, 60_000)

test('doctor names the secrets that a payment account lacks, and those of another MARQUEE_SECRET', async () => {
  const stripe = await openStripeServer()
  const account = ['payment-provider', '-c', 'acme', '--by', 'Jo', 'stripe', '--option', `apiUrl=${stripe.origin}`]
  const ofInstallation = {
    PAYMENT_STRIPE_SECRET_KEY: stripeSecrets.secretKey,
    PAYMENT_STRIPE_WEBHOOK_SECRET: stripeSecrets.webhookSecret,
  }
  expect((await run(ofInstallation, ...account)).err).toBe('')
  expect((await doctor(ofInstallation)).out).toContain('✓ Payments: acme takes payments with stripe')
  const lacks = await doctor()
  expect(lacks.code).toBe(1)
  expect(lacks.out).toContain('✗ Payments: The account of acme at stripe lacks secretKey, webhookSecret. Set them: ')

  const secrets = ['secretKey=PAYMENT_STRIPE_SECRET_KEY', 'webhookSecret=PAYMENT_STRIPE_WEBHOOK_SECRET']
  const flags = secrets.flatMap((secret) => ['--secret', secret])
  await run(ofInstallation, ...account, ...flags)
  expect((await doctor()).out).toContain('✓ Payments: acme takes payments with stripe')
  const other = await doctor({ MARQUEE_SECRET: 'another-secret-for-tests-that-is-long' })
  expect(other.out).toContain('✗ Payments: The secrets of acme at stripe cannot be decrypted with this MARQUEE_SECRET.')

  await run({ ...ofInstallation, PAYMENT_STRIPE_SECRET_KEY: 'sk_test_withdrawn' }, ...account, ...flags)
  const refused = await doctor()
  expect(refused.code).toBe(1)
  expect(refused.out).toContain('✗ Payments: stripe refuses the account of acme, so nobody can pay.')
  stripe.plan(/./, 'FAIL', 20)
  expect((await doctor()).out).toContain('✗ Payments: stripe did not answer for the account of acme.')

  await run({}, 'payment-provider', '-c', 'acme', '--by', 'Jo', 'sandbox')
  expect((await doctor()).out).toContain('· Payments: acme takes test payments only, with the sandbox.')
}, 60_000)

test('a version refuses a schema that a newer one has changed, and one that is older without its owner', async () => {
  const journal = 'drizzle.__drizzle_migrations'
  await owner.query(`INSERT INTO ${journal} (hash, created_at) VALUES ('later', 99999999999999)`)
  for (const urls of [{ ownerUrl: database.ownerUrl }, { url: database.url }, database])
    await expect(prepareDatabase(urls)).rejects.toThrow(schemaRefusals.NEWER)
  expect((await doctor()).out).toContain(`✗ Schema: ${schemaRefusals.NEWER}`)

  const newest = `created_at = (SELECT max(created_at) FROM ${journal})`
  await owner.query(`DELETE FROM ${journal} WHERE hash = 'later'`)
  const { rows } = await owner.query(`DELETE FROM ${journal} WHERE ${newest} RETURNING hash, created_at`)
  await expect(prepareDatabase({ url: database.url })).rejects.toThrow(schemaRefusals.OLDER)
  await owner.query(`INSERT INTO ${journal} (hash, created_at) VALUES ($1, $2)`, [rows[0].hash, rows[0].created_at])
  expect(await prepareDatabase({ url: database.url })).toBe(database.url)
})
