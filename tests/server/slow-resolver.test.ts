import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { buildWhatIsStale } from '#server/build.ts'
import { startBadStorage } from '#tests/support/bad-storage.ts'
import { placeOrderOf } from '#tests/support/buying.ts'
import { processEnvironment } from '#tests/support/command.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { startNameServer } from '#tests/support/name-server.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
import { payAt } from '#tests/support/payment-account.ts'
import { sendTo } from '#tests/support/send-http.ts'
import { startService } from '#tests/support/service-process.ts'
import { openStripeServer, stripeSecrets } from '#tests/support/stripe-server.ts'
import { createTenant, password } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const folder = mkdtempSync(join(tmpdir(), 'marquee-names-'))
const names = await startNameServer(folder)
afterAll(async () => {
  await names?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})
if (!names) console.log('A slow resolver is not tried: this needs root, for a resolver of its own.')

/** The address of a server of this machine by a name that only the resolver knows. */
const byName = (address: string, name: string) => address.replace('127.0.0.1', `${name}.marquee.test`)

const database = await ownDatabase()
const api = createTestApi({ database })

test.runIf(names)(
  'while the resolver is silent, members sign in, requests end in time, and the process says what is wrong',
  async () => {
    await buildWhatIsStale()
    await using storage = await startBadStorage()
    await using servers = new AsyncDisposableStack()
    const mails = servers.adopt(await startMailServer(), ({ close }) => close())
    const stripe = await openStripeServer()
    const tenant = await createTenant(api)
    const apiUrl = byName(stripe.origin, 'stripe')
    await payAt(api, tenant, 'stripe', { options: { apiUrl, pageOrigin: stripe.origin }, secrets: stripeSecrets })
    const member = await tenant.createMember()
    const product = await tenant.createProduct()
    const env = {
      MARQUEE_DATA: folder,
      DATABASE_OWNER_URL: byName(database.ownerUrl, 'db'),
      DATABASE_POOL_SIZE: '12',
      MARQUEE_SECRET: 'a-secret-for-tests-that-is-long-enough',
      MEDIA_S3_ENDPOINT: byName(storage.place.endpoint, 'media'),
      MEDIA_S3_BUCKET: storage.place.bucket,
      MEDIA_S3_ACCESS_KEY: storage.place.accessKey,
      MEDIA_S3_SECRET_KEY: storage.place.secretKey,
      SMTP_URL: byName(mails.url, 'mail'),
      MAIL_FROM: 'store@example.com',
    }
    await using store = await startService(env, names?.command)
    const send = sendTo({ port: store.port, host: `${tenant.code}.test` })
    // The client gives up after 20 seconds.
    const outcomeOf = async (what: string, work: () => Promise<unknown>) => ({
      what,
      outcome: await work().then(
        () => 'done',
        (error: unknown) => String(error),
      ),
    })
    const get = (path: string) => send(new Request(new URL(path, api.origin)))
    const client = api.client(tenant.code, { token: member.token, fetch: send })
    const signIn = () => api.client(tenant.code, { fetch: send }).identity.login({ email: member.email, password })
    const pay = async () => {
      const order = await placeOrderOf(api, tenant, member, product)
      const keyed = api.client(tenant.code, { token: member.token, idempotencyKey: order.code, fetch: send })
      await keyed.billing.startPayment({ code: order.code, method: 'CARD', returnUrl: '/payments/result' })
    }
    const faults = async () => (await (await get('/readyz')).json()).faults
    expect(await faults()).toEqual([])
    expect((await outcomeOf('sign-in', signIn)).outcome).toBe('done')

    names?.behave('silent')
    const during = await Promise.all([
      outcomeOf('payment', pay),
      ...Array.from({ length: 12 }, (_, at) => outcomeOf('media', () => get(`/media/files/picture-${at}.webp`))),
      ...Array.from({ length: 30 }, (_, at) => outcomeOf('list', () => client.catalog.search({ q: `film ${at}` }))),
      ...Array.from({ length: 4 }, () => outcomeOf('sign-in', signIn)),
      outcomeOf('reset', () => client.identity.requestReset({ email: member.email })),
      outcomeOf('readyz', () => get('/readyz')),
    ])
    expect(during.filter(({ what, outcome }) => what !== 'payment' && outcome !== 'done')).toEqual([])
    expect(during.find(({ what }) => what === 'payment')?.outcome).toContain('502 PROVIDER_UNAVAILABLE')
    await vi.waitFor(async () => expect(await faults()).toContain('dns'), { timeout: 20_000, interval: 500 })
    expect(store.output()).toContain('The resolver of host names does not answer')
    expect((await outcomeOf('sign-in', signIn)).outcome).toBe('done')

    // A start has no former addresses.
    await expect(startService(env, names?.command)).rejects.toThrow(/The host db\.marquee\.test was not found in time/)
    names?.behave('failing')
    expect((await outcomeOf('list', () => client.catalog.search({ q: 'failing' }))).outcome).toBe('done')
    const [program = '', args = []] = names?.command(process.execPath, ['server/launch.js', 'cli', 'doctor']) ?? []
    const doctor = await new Promise<string>((resolve) =>
      execFile(program, args, { env: { ...processEnvironment(), ...env } }, (_, out) => resolve(out)),
    )
    expect(doctor).toContain('✗ DNS: The host db.marquee.test of DATABASE_OWNER_URL cannot be found (EAI_AGAIN).')
    expect(doctor).toContain('✗ DNS: The host media.marquee.test of MEDIA_S3_ENDPOINT cannot be found (EAI_AGAIN).')

    names?.behave('well')
    await vi.waitFor(async () => expect(await faults()).toEqual([]), { timeout: 30_000, interval: 500 })
    expect(store.output()).toContain('The resolver of host names answers again')
  },
  300_000,
)
