import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { signRequest } from '#api/modules/webhooks/send-webhooks.ts'
import { isAllowedAddress } from '#api/platform/http/public-requests.ts'
import { createTenant, type Tenant, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'
import {
  createEndpoint,
  openWebhookReceiver,
  sendWebhooks,
  standardSignature,
} from '#tests/support/webhook-receiver.ts'

const api = createTestApi()
const receiver = await openWebhookReceiver()
let tenant: Tenant
let staff: TestStaff

beforeAll(async () => {
  tenant = await createTenant(api)
  staff = await tenant.createStaff()
})

/** Runs work as an installation in production does: TLS and public addresses alone. */
const inProduction = async (addresses: string[], work: () => Promise<void>) => {
  const before = { ...api.deps.publicRequests }
  Object.assign(api.deps.publicRequests, { allowsLoopback: false, resolveHost: async () => addresses })
  try {
    await work()
  } finally {
    Object.assign(api.deps.publicRequests, before)
  }
}

test('an endpoint is created, changed, disabled and deleted, and the audit log has each change', async () => {
  const created = await staff.client.webhooks.create({
    url: receiver.url,
    description: 'Accounting',
    eventTypes: ['order.paid', 'order.paid', 'order.refunded'],
  })
  expect(created.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(created).toMatchObject({ url: receiver.url, eventTypes: ['order.paid', 'order.refunded'], disabledAt: null })
  const { id } = created
  expect(JSON.stringify(await staff.client.webhooks.get({ id }))).not.toContain(created.secret)

  const changed = await staff.withVersion(created.version).webhooks.change({ id, description: 'Books', enabled: false })
  expect(changed).toMatchObject({ description: 'Books', disabledReason: 'STAFF' })
  expect(await failureOf(staff.withVersion(created.version).webhooks.change({ id, enabled: true }))).toMatchObject({
    status: 412,
    problem: { data: { version: changed.version, changes: expect.any(Array) } },
  })
  expect(await failureOf(staff.client.webhooks.change({ id, enabled: true }))).toMatchObject({
    code: 'VERSION_MISSING',
  })
  expect(changed.history[0]).toMatchObject({
    actor: `staff:${staff.email}`,
    changes: { description: { from: 'Accounting', to: 'Books' }, enabled: { from: true, to: false } },
  })
  const enabled = await staff.withVersion(changed.version).webhooks.change({ id, enabled: true })
  await staff.withVersion(enabled.version).webhooks.delete({ id })
  expect(await failureOf(staff.client.webhooks.get({ id }))).toMatchObject({ status: 404 })
  const { items } = await staff.client.admin.audit({ subject: `webhook:${id}` })
  expect(items.map(({ action }) => action)).toEqual([
    'webhook.deleted',
    'webhook.changed',
    'webhook.changed',
    'webhook.created',
  ])
  expect(JSON.stringify(items)).not.toContain('whsec_')
})

describe('the address of an endpoint', () => {
  const refused = async (url: string, language = 'en') => {
    const { client } = {
      client: api.client(tenant.code, { token: staff.token, headers: { 'accept-language': language } }),
    }
    const { status, problem } = await failureOf(client.webhooks.create({ url, eventTypes: ['order.paid'] }))
    return [status, Object.keys(problem.errors)]
  }

  test.each(['not an address', 'ftp://example.com', 'https://', 'https://me:word@example.com/', 'javascript:alert(1)'])(
    'is refused as %s, naming the field',
    async (url) => {
      expect(await refused(url)).toEqual([422, ['url']])
    },
  )

  test.each([
    ['http://example.com/hook', ['93.184.216.34']],
    ['https://10.1.2.3/hook', []],
    ['https://[::1]/hook', []],
    ['https://[::ffff:10.0.0.1]/hook', []],
    ['https://0x7f.1/hook', []],
    ['https://169.254.169.254/latest/meta-data', []],
    ['https://inside.example.com/hook', ['192.168.1.4']],
    ['https://both.example.com/hook', ['93.184.216.34', '10.0.0.1']],
  ])('is refused in production as %s', async (url, addresses) => {
    await inProduction(addresses, async () => {
      expect(await refused(url)).toEqual([422, ['url']])
    })
  })

  test('is accepted in production where it is public, or not known yet', async () => {
    const create = (url: string) => staff.client.webhooks.create({ url, eventTypes: ['order.paid'] })
    await inProduction(['93.184.216.34'], async () => {
      expect(await create('https://example.com:8443/hook?a=1#part')).toMatchObject({
        url: 'https://example.com:8443/hook?a=1',
      })
    })
    await inProduction([], async () => {
      await create('https://soon.example.com/hook')
    })
  })

  test.each([
    ['8.8.8.8', true],
    ['2606:2800:220:1::1', true],
    ['127.0.0.1', false],
    ['0.0.0.0', false],
    ['100.64.0.1', false],
    ['172.31.255.255', false],
    ['172.32.0.1', true],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['::', false],
    ['::1', false],
    ['::ffff:8.8.8.8', false],
    ['64:ff9b::a00:1', false],
    ['2002:a00:1::', false],
    ['2001:db8::1', false],
    ['fc00::1', false],
    ['fe80::1', false],
    ['ff02::1', false],
  ])('%s may be sent to: %s', (address, allowed) => {
    expect(isAllowedAddress(address, { allowsLoopback: false })).toBe(allowed)
  })
})

test('a store has at most 20 endpoints, also when several are created at once', async () => {
  const full = await createTenant(api)
  const { client } = await full.createStaff()
  const { limit } = await client.webhooks.list()
  const made = await Promise.allSettled(
    Array.from({ length: limit + 3 }, () => client.webhooks.create({ url: receiver.url, eventTypes: ['order.paid'] })),
  )
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(limit)
  expect((await client.webhooks.list()).items).toHaveLength(limit)
})

test('for a day after its rotation, requests are signed with both secrets, and then with the new one', async () => {
  const { id, secret, version, staff: owner, webhooks } = await createEndpoint(tenant, receiver.url)
  const rotated = await owner.withVersion(version).webhooks.rotateSecret({ id })
  expect(await failureOf(owner.withVersion(version).webhooks.rotateSecret({ id }))).toMatchObject({ status: 412 })
  const signatures = async () => {
    receiver.received.length = 0
    await webhooks.test({ id })
    await sendWebhooks(api, tenant)
    const [one] = receiver.received
    return {
      sent: String(one!.headers['webhook-signature']).split(' '),
      by: (key: string) => standardSignature(key, one!),
    }
  }
  const both = await signatures()
  expect(both.sent).toEqual([both.by(rotated.secret), both.by(secret)])
  expect(await webhooks.get({ id })).toMatchObject({ previousSecretUntil: rotated.previousSecretUntil })

  api.clock.advance(24 * 60 * 60_000 + 1000)
  const later = await owner.client.webhooks.get({ id })
  expect(later.previousSecretUntil).toBeNull()
  const one = await signatures()
  expect(one.sent).toEqual([one.by(rotated.secret)])
})

test('the example of the guide is that of Standard Webhooks, and the code of the guide accepts it', async () => {
  const guide = readFileSync(new URL('../../docs/guides/webhooks.md', import.meta.url), 'utf8')
  const valueInGuide = (name: string) => new RegExp(`\\| ${name} \\| \`(.+)\` \\|`).exec(guide)?.[1] ?? ''
  const [secret, body, id] = [valueInGuide('secret'), valueInGuide('body'), valueInGuide('`webhook-id`')]
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': valueInGuide('`webhook-timestamp`'),
    'webhook-signature': valueInGuide('`webhook-signature`'),
  }
  expect(signRequest(secret, { id, timestamp: Number(headers['webhook-timestamp']), body })).toBe(
    headers['webhook-signature'],
  )
  const source = /```js\n([\s\S]+?)```/.exec(guide)?.[1] ?? ''
  const { isFromStore } = await import(`data:text/javascript,${encodeURIComponent(source)}`)
  const now = Number(headers['webhook-timestamp']) * 1000
  expect(isFromStore(secret, headers, body, now)).toBe(true)
  expect(isFromStore(secret, headers, `${body} `, now)).toBe(false)
  expect(isFromStore(secret, headers, body, now + 301_000)).toBe(false)
  expect(isFromStore(`whsec_${'A'.repeat(32)}`, headers, body, now)).toBe(false)
})

test('the secrets of endpoints are encrypted in the database', async () => {
  const { id, secret } = await createEndpoint(tenant, receiver.url)
  const { rows } = await tenant.within((db) =>
    db.$client.query<{ secret: string }>('SELECT secret FROM webhook_endpoints WHERE id = $1', [id]),
  )
  expect(rows).toEqual([{ secret: expect.stringMatching(/^v1\./) }])
  expect(rows[0]?.secret).not.toContain(secret.slice(6))
})
