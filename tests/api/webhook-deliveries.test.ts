import { beforeEach, expect, test } from 'vitest'
import { tenantsWithDueWork } from '#api/modules/admin/admin-lists.queries.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { createWebhookSender, deleteOldWebhookEvents, wakeWebhookSenders } from '#api/modules/webhooks/webhooks.jobs.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { mailsTo } from '#tests/support/mails.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'
import {
  answering,
  createEndpoint,
  openWebhookReceiver,
  sendWebhooks,
  standardSignature,
} from '#tests/support/webhook-receiver.ts'

const api = createTestApi()
const receiver = await openWebhookReceiver()
const minute = 60_000
let tenant: Tenant

beforeEach(async () => {
  receiver.received.length = 0
  receiver.answers()
  tenant = await createTenant(api)
})

const send = (workers?: number) => sendWebhooks(api, tenant, workers)

test('a delivery is signed as Standard Webhooks describes it, and its log has the request and the response', async () => {
  const { id, secret, webhooks, deliveries } = await createEndpoint(tenant, receiver.url)
  const queued = await webhooks.test({ id })
  expect(queued).toMatchObject({ type: 'webhook.test', status: 'QUEUED', attempts: 0 })
  await send()
  const [request] = receiver.received
  expect(request?.headers).toMatchObject({
    'webhook-id': queued.eventId,
    'webhook-signature': standardSignature(secret, request!),
    'content-type': 'application/json',
  })
  const sentAt = Number(request?.headers['webhook-timestamp']) * 1000
  expect(Math.abs(api.clock.now().getTime() - sentAt)).toBeLessThan(minute)
  expect(JSON.parse(request!.body)).toEqual({
    id: queued.eventId,
    type: 'webhook.test',
    version: 1,
    timestamp: expect.any(String),
    store: tenant.code,
    data: { endpointId: id },
  })
  expect(await deliveries()).toMatchObject([{ status: 'DELIVERED', attempts: 1, responseStatus: 200, dueAt: null }])
  const shown = await webhooks.delivery({ id, deliveryId: queued.id })
  expect(shown).toMatchObject({
    body: request?.body,
    tries: [{ url: receiver.url, responseStatus: 200, responseBody: 'thanks', error: null }],
  })
  expect(shown.tries[0]?.requestHeaders['webhook-signature']).toBe(request?.headers['webhook-signature'])
})

test('an event is sent to the endpoints that want it, and to none that is disabled', async () => {
  const wants = await createEndpoint(tenant, `${receiver.url}/wants`, ['comment.held', 'member.joined'])
  await createEndpoint(tenant, `${receiver.url}/other`, ['order.paid'])
  const disabled = await createEndpoint(tenant, `${receiver.url}/disabled`, ['comment.held'])
  await disabled.staff.withVersion(disabled.version).webhooks.change({ id: disabled.id, enabled: false })
  const member = await tenant.createMember()
  const product = await tenant.createProduct()
  const comment = await member.client.engagement.addComment({ id: product.id, body: 'See https://example.com' })
  await send()
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook/wants'])
  expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({
    type: 'comment.held',
    data: { commentId: comment.id, productId: product.id, memberId: member.id },
  })
  expect(await wants.deliveries()).toHaveLength(1)
  expect(await disabled.deliveries()).toEqual([])
})

test('what is rolled back or refused sends nothing', async () => {
  const { deliveries } = await createEndpoint(tenant, receiver.url, ['comment.held'])
  const member = await tenant.createMember()
  const product = await tenant.createProduct()
  await failureOf(
    member.client.engagement.addComment({ id: product.id, body: 'https://example.com', parentId: product.id as never }),
  )
  await send()
  expect([await deliveries(), receiver.received]).toEqual([[], []])
})

test('a failed delivery is retried for three days with growing delays, with the same id and body', async () => {
  const { id, webhooks, deliveries } = await createEndpoint(tenant, receiver.url)
  receiver.answers(answering(500, 'out of order'))
  await webhooks.test({ id })
  const waits: number[] = []
  for (;;) {
    const sentAt = api.clock.now().getTime()
    await send()
    const [delivery] = await deliveries()
    if (delivery?.status !== 'QUEUED') break
    expect(delivery).toMatchObject({ error: 'STATUS', responseStatus: 500, attempts: waits.length + 1 })
    const wait = Date.parse(delivery.dueAt!) - sentAt
    waits.push(wait / minute)
    // Not due yet.
    await send()
    expect(receiver.received).toHaveLength(waits.length)
    api.clock.advance(wait + 1000)
  }
  expect(waits).toHaveLength(9)
  for (const [place, expected] of [1, 5, 30, 120, 300, 600, 840, 1200, 1200].entries()) {
    expect(waits[place]).toBeGreaterThanOrEqual(expected)
    expect(waits[place]).toBeLessThan(expected * 1.1 + 1)
  }
  expect(await deliveries()).toMatchObject([{ status: 'FAILED', attempts: 10, dueAt: null }])
  expect(new Set(receiver.received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).toBe(1)
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-signature'])).size).toBe(10)
})

test('of several workers one sends each delivery, and each is sent once', async () => {
  const { id, webhooks, deliveries } = await createEndpoint(tenant, receiver.url)
  await Promise.all(Array.from({ length: 25 }, () => webhooks.test({ id })))
  await send(4)
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect([ids.length, new Set(ids).size]).toEqual([25, 25])
  expect((await deliveries()).every(({ status, attempts }) => status === 'DELIVERED' && attempts === 1)).toBe(true)
})

test('a worker that dies between sending and recording leaves a delivery that another sends again', async () => {
  const { id, webhooks, deliveries } = await createEndpoint(tenant, receiver.url)
  await webhooks.test({ id })
  const customer = (await resolveCustomer(api.deps, tenant.code))!
  // The database refuses what the first worker records.
  const broken = createWebhookSender({
    ...api.deps,
    pool: Object.assign(Object.create(api.deps.pool), {
      connect: async () => {
        if (receiver.received.length > 0) throw new Error('killed')
        return api.deps.pool.connect()
      },
    }),
  })
  await expect(broken.deliverDue(customer)).rejects.toThrow('killed')
  expect(receiver.received).toHaveLength(1)
  await send()
  expect(receiver.received).toHaveLength(1)
  api.clock.advance(minute + 1000)
  await send()
  const [first, second] = receiver.received
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  expect(await deliveries()).toMatchObject([{ status: 'DELIVERED', attempts: 2 }])
})

test('a slow endpoint holds up no other, and its request ends with the time limit', async () => {
  const slow = await createEndpoint(tenant, `${receiver.url}/slow`)
  const quick = await createEndpoint(tenant, `${receiver.url}/quick`)
  const quickSent = Promise.withResolvers<void>()
  const customer = (await resolveCustomer(api.deps, tenant.code))!
  receiver.answers((response, { path }) => {
    // Never answered: its connection ends with the worker or with the time limit.
    if (path.endsWith('/slow')) return
    response.writeHead(204).end()
    quickSent.resolve()
  })
  await slow.webhooks.test({ id: slow.id })
  await quick.webhooks.test({ id: quick.id })
  const sender = createWebhookSender({ ...api.deps, publicRequests: { ...api.deps.publicRequests, timeout: 1_500 } })
  const done = sender.deliverDue(customer)
  await quickSent.promise
  await quick.webhooks.test({ id: quick.id })
  await sender.beginDue(customer)
  await done
  expect(await slow.deliveries()).toMatchObject([
    { status: 'QUEUED', attempts: 1, error: 'TIMEOUT', responseStatus: null },
  ])
  expect((await quick.deliveries()).map(({ status }) => status)).toEqual(['DELIVERED', 'DELIVERED'])
})

test('a stopping worker gives back what it is sending, without counting an attempt', async () => {
  const { id, webhooks, deliveries } = await createEndpoint(tenant, receiver.url)
  const arrived = Promise.withResolvers<void>()
  receiver.answers(() => arrived.resolve())
  await webhooks.test({ id })
  const sender = createWebhookSender(api.deps)
  const done = sender.deliverDue((await resolveCustomer(api.deps, tenant.code))!)
  await arrived.promise
  await sender[Symbol.asyncDispose]()
  await done
  expect(await deliveries()).toMatchObject([{ status: 'QUEUED', attempts: 0 }])
  receiver.answers()
  await send()
  expect(await deliveries()).toMatchObject([{ status: 'DELIVERED', attempts: 1 }])
})

test('redirects are not followed, and a response is read at its beginning alone', async () => {
  const { id, webhooks, deliveries } = await createEndpoint(tenant, receiver.url)
  receiver.answers(answering(302, `a\0b${'x'.repeat(100_000)}`, { location: `${receiver.url}/elsewhere` }))
  const { id: deliveryId } = await webhooks.test({ id })
  await send()
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
  expect(await deliveries()).toMatchObject([{ status: 'QUEUED', error: 'STATUS', responseStatus: 302 }])
  const [attempt] = (await webhooks.delivery({ id, deliveryId })).tries
  expect(attempt?.responseBody).toMatch(/^abx+$/)
  expect(attempt?.responseBody.length).toBeLessThan(2001)
})

test('a host that leads elsewhere later is refused when it is connected to', async () => {
  const before = { ...api.deps.publicRequests }
  let addresses = ['127.0.0.1']
  Object.assign(api.deps.publicRequests, { resolveHost: async () => addresses })
  try {
    const { id, webhooks, deliveries } = await createEndpoint(tenant, `http://rebinding.test:${receiver.port}/hook`)
    await webhooks.test({ id })
    await send()
    expect(receiver.received).toHaveLength(1)
    for (const others of [['169.254.169.254'], ['127.0.0.1', '10.0.0.1'], ['::ffff:192.168.0.1'], []]) {
      addresses = others
      await webhooks.test({ id })
      await send()
      expect((await deliveries())[0]).toMatchObject({
        status: 'QUEUED',
        error: 'ADDRESS_REFUSED',
        responseStatus: null,
      })
    }
    // What was allowed when it was created, as in the demo, is refused in production.
    Object.assign(api.deps.publicRequests, { allowsLoopback: false })
    addresses = ['127.0.0.1']
    await webhooks.test({ id })
    await send()
    expect((await deliveries())[0]).toMatchObject({ error: 'ADDRESS_REFUSED' })
    expect(receiver.received).toHaveLength(1)
  } finally {
    Object.assign(api.deps.publicRequests, before)
  }
})

test('a host that is not known, a closed port and a wrong protocol are named as what they are', async () => {
  const errorOf = async (url: string) => {
    const { id, webhooks, deliveries } = await createEndpoint(tenant, url)
    await webhooks.test({ id })
    await send()
    return (await deliveries())[0]?.error
  }
  const before = { ...api.deps.publicRequests }
  Object.assign(api.deps.publicRequests, {
    resolveHost: async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND nowhere.test'), { code: 'ENOTFOUND' })
    },
  })
  expect(await errorOf('http://nowhere.test/hook')).toBe('NOT_FOUND')
  Object.assign(api.deps.publicRequests, before)
  expect(await errorOf('http://127.0.0.1:9/hook')).toBe('CONNECTION')
  expect(await errorOf(`https://127.0.0.1:${receiver.port}/hook`)).toBe('TLS')
})

test('an endpoint that answers 410 is disabled, and the people who can change it get an email', async () => {
  const { id, webhooks, deliveries, staff } = await createEndpoint(tenant, receiver.url)
  const waiting = async () => (await staff.client.admin.home()).waiting.disabledWebhooks ?? 0
  const before = await waiting()
  const analyst = await tenant.createStaff('ANALYST')
  receiver.answers(answering(410))
  await webhooks.test({ id })
  await send()
  expect(await deliveries()).toMatchObject([{ status: 'FAILED', error: 'STATUS', responseStatus: 410 }])
  const shown = await webhooks.get({ id })
  expect(shown).toMatchObject({ disabledReason: 'GONE', disabledAt: expect.any(String) })
  expect(shown.history[0]).toMatchObject({ actor: 'rule', action: 'webhook.disabled', detail: { reason: 'GONE' } })
  expect(await mailsTo(tenant, staff.email)).toMatchObject([{ template: 'webhook-disabled' }])
  expect(await mailsTo(tenant, analyst.email)).toEqual([])
  expect(await waiting()).toBe(before + 1)
  expect(await failureOf(webhooks.test({ id }))).toMatchObject({ code: 'CONFLICT' })
})

test('an endpoint that fails for five days is disabled with what it has queued, and works again once enabled', async () => {
  const { id, webhooks, staff } = await createEndpoint(tenant, receiver.url)
  receiver.answers(answering(503))
  await webhooks.test({ id })
  await send()
  const { failingSince } = await webhooks.get({ id })
  expect(failingSince).not.toBeNull()
  // A success in between begins anew.
  receiver.answers()
  await webhooks.test({ id })
  await send()
  expect(await webhooks.get({ id })).toMatchObject({ failingSince: null, disabledAt: null })

  receiver.answers(answering(503))
  await webhooks.test({ id })
  await send()
  api.clock.advance(5 * dayMilliseconds + minute)
  const owner = await tenant.createStaff()
  await owner.client.webhooks.test({ id })
  await send()
  expect(await owner.client.webhooks.get({ id })).toMatchObject({ disabledReason: 'FAILING' })
  expect(await mailsTo(tenant, staff.email)).toMatchObject([{ template: 'webhook-disabled' }])
  const { items } = await owner.client.webhooks.deliveries({ id })
  expect(items.filter(({ status }) => status === 'QUEUED')).toEqual([])

  receiver.answers()
  const { version } = await owner.client.webhooks.get({ id })
  await owner.withVersion(version).webhooks.change({ id, enabled: true })
  const since = new Date(api.clock.now().getTime() - 20 * dayMilliseconds).toISOString()
  const { queued } = await owner.client.webhooks.replayFailed({ id, since })
  expect(queued).toBe(items.filter(({ status }) => status === 'FAILED').length)
  await send()
  const after = await owner.client.webhooks.deliveries({ id })
  expect(after.items.every(({ status }) => status === 'DELIVERED')).toBe(true)
})

test('a delivery is replayed with its id and its body, one or all that failed since a time', async () => {
  const { id, webhooks, deliveries } = await createEndpoint(tenant, receiver.url)
  receiver.answers(answering(410))
  const first = await webhooks.test({ id })
  expect(await failureOf(webhooks.replay({ id, deliveryId: first.id }))).toMatchObject({ code: 'CONFLICT' })
  await send()
  expect(await failureOf(webhooks.replay({ id, deliveryId: first.id }))).toMatchObject({ code: 'CONFLICT' })
  const { version, createdAt } = await webhooks.get({ id })
  const owner = await tenant.createStaff()
  await owner.withVersion(version).webhooks.change({ id, enabled: true })
  receiver.answers()
  await Promise.allSettled([1, 2, 3].map(() => webhooks.replay({ id, deliveryId: first.id })))
  await send(3)
  expect(receiver.received).toHaveLength(2)
  expect(receiver.received[0]?.body).toBe(receiver.received[1]?.body)
  expect(await deliveries()).toMatchObject([{ status: 'DELIVERED', attempts: 1 }])
  expect((await webhooks.delivery({ id, deliveryId: first.id })).tries).toHaveLength(2)
  // What was delivered can be sent again too, but is not among the failed ones.
  expect(await webhooks.replayFailed({ id, since: createdAt })).toEqual({ queued: 0 })
  await webhooks.replay({ id, deliveryId: first.id })
  await send()
  expect(receiver.received).toHaveLength(3)
})

test('the log is read page by page and by status', async () => {
  const { id, webhooks } = await createEndpoint(tenant, receiver.url)
  for (let at = 0; at < 5; at++) await webhooks.test({ id })
  await send()
  await webhooks.test({ id })
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof webhooks.deliveries>> = await webhooks.deliveries({
      id,
      size: 2,
      ...(cursor && { cursor }),
    })
    seen.push(...page.items.map((item) => item.id))
    cursor = page.nextCursor
  } while (cursor)
  expect([seen.length, new Set(seen).size]).toEqual([6, 6])
  expect((await webhooks.deliveries({ id, status: 'QUEUED' })).items).toHaveLength(1)
  expect((await webhooks.deliveries({ id, status: 'DELIVERED' })).items).toHaveLength(5)
  expect(await failureOf(webhooks.deliveries({ id, cursor: 'x'.repeat(30) }))).toMatchObject({ status: 422 })
})

test('due deliveries are due work of the store, and a sweep wakes the senders', async () => {
  const { id, webhooks } = await createEndpoint(tenant, receiver.url)
  const isDue = async () =>
    (await tenantsWithDueWork(api.deps.pool, api.clock.now())).some((one) => one.id === tenant.id)
  await send()
  expect(await isDue()).toBe(false)
  await webhooks.test({ id })
  expect(await isDue()).toBe(true)
  await wakeWebhookSenders(api.deps, (await resolveCustomer(api.deps, tenant.code))!)
  await send()
  expect(await isDue()).toBe(false)
})

test('events leave the log after 30 days', async () => {
  const { id, webhooks } = await createEndpoint(tenant, receiver.url)
  await webhooks.test({ id })
  await send()
  const customer = (await resolveCustomer(api.deps, tenant.code))!
  await deleteOldWebhookEvents(api.deps, customer)
  expect((await webhooks.deliveries({ id })).items).toHaveLength(1)
  api.clock.advance(30 * dayMilliseconds + minute)
  await deleteOldWebhookEvents(api.deps, customer)
  const owner = await tenant.createStaff()
  expect((await owner.client.webhooks.deliveries({ id })).items).toEqual([])
})
