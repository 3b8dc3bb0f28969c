import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { webhookEventType } from '#contract/admin/webhooks.ts'
import { type InquiryTypeCode, type OrderCode, productCode } from '#contract/ids.ts'
import { beginToDeposit, createBankTenant } from '#tests/support/bank.ts'
import { buy, keyed } from '#tests/support/buying.ts'
import { codeIn, mailTo } from '#tests/support/mails.ts'
import { createPlan, createPlanTenant } from '#tests/support/plans.ts'
import { deliverDue, reconcileNow } from '#tests/support/reconciling.ts'
import { refunding } from '#tests/support/refunding.ts'
import { passDays, subscriber } from '#tests/support/subscribing.ts'
import { programOf, signedInAgain, versionOf } from '#tests/support/subscriptions-by-staff.ts'
import { password, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'
import {
  createEndpoint,
  openWebhookReceiver,
  sendWebhooks,
  standardSignature,
} from '#tests/support/webhook-receiver.ts'

const api = createTestApi()
const receiver = await openWebhookReceiver()
const { requestRefund, buyAll, open } = refunding(api)

interface Event {
  id: string
  type: string
  version: number
  store: string
  data: Record<string, unknown>
}

const guide = readFileSync(new URL('../../docs/guides/webhooks.md', import.meta.url), 'utf8')
const samples: Record<string, Event['data']> = JSON.parse(
  /## Samples[\s\S]+?```json\n([\s\S]+?)```/.exec(guide)?.[1] ?? '{}',
)

/** The names of all fields of a value, of those in lists by the first entry. */
const fieldsOf = (value: unknown, path = ''): string[] => {
  if (Array.isArray(value)) return value.length > 0 ? fieldsOf(value[0], `${path}[]`) : [path]
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([name, field]) => fieldsOf(field, `${path}.${name}`))
}

/**
 * The events that a program of a store has received over HTTP so far, the oldest first. Each is
 * signed, and has the fields of its sample in the guide.
 */
const listening = async (tenant: Tenant) => {
  const url = `${receiver.url}/${tenant.code}`
  const { secret } = await createEndpoint(tenant, url, [...webhookEventType.options])
  return async () => {
    await sendWebhooks(api, tenant)
    const received = receiver.received.filter(({ path }) => path === new URL(url).pathname)
    const events = received.map((webhook) => {
      expect(webhook.headers['webhook-signature']).toBe(standardSignature(secret, webhook))
      const event = JSON.parse(webhook.body) as Event
      expect(event).toMatchObject({ id: webhook.headers['webhook-id'], version: 1, store: tenant.code })
      expect([event.type, ...fieldsOf(event.data).sort()]).toEqual([
        event.type,
        ...fieldsOf(samples[event.type]).sort(),
      ])
      return event
    })
    // Their order is not kept. Ids grow with the time.
    return events.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  }
}

test('the guide has a sample of each event', () => {
  expect(Object.keys(samples)).toEqual([...webhookEventType.options, 'webhook.test'])
})

test('orders that are paid and refunded are published with their amounts and products', async () => {
  const tenant = await createPlanTenant(api)
  const eventsOf = await listening(tenant)
  const member = await tenant.createMember()
  const [first, second] = await tenant.createProducts([{ price: 2900 }, { price: 1000 }])
  const order = await buyAll(tenant, member, [first!, second!])
  const [paid, ...others] = await eventsOf()
  expect(others).toEqual([])
  expect(paid).toMatchObject({
    type: 'order.paid',
    store: tenant.code,
    data: {
      orderCode: order.code,
      memberId: member.id,
      total: { amount: 3900, currency: tenant.settings.base.currency },
      paidAt: order.paidAt,
      complimentary: false,
    },
  })
  expect(paid?.data.items).toHaveLength(2)
  expect(paid?.data.items).toContainEqual({
    productId: first!.id,
    optionId: first!.optionId,
    optionType: 'OWN',
    price: { amount: 2900, currency: tenant.settings.base.currency },
  })

  const item = order.items.find(({ product }) => product.id === second!.id)
  await requestRefund(tenant, member, order, { itemIds: [item!.id] })
  await requestRefund(tenant, member, order)
  const events = (await eventsOf()).slice(1)
  expect(events.map(({ type }) => type)).toEqual([
    ...['order.refund_requested', 'order.refunded', 'order.refund_requested', 'order.refunded'],
  ])
  expect(events[0]?.data).toMatchObject({ productIds: [second!.id], needsDecision: false })
  const refunds = events.filter(({ type }) => type === 'order.refunded')
  const { currency } = tenant.settings.base
  expect(refunds).toMatchObject([
    {
      type: 'order.refunded',
      data: {
        amount: { amount: 1000, currency },
        refundedTotal: { amount: 1000 },
        whole: false,
        productIds: [second!.id],
      },
    },
    {
      type: 'order.refunded',
      data: { amount: { amount: 2900 }, refundedTotal: { amount: 3900 }, whole: true, productIds: [first!.id] },
    },
  ])
})

test('a subscription is published when it starts, renews and ends', async () => {
  const tenant = await createPlanTenant(api)
  const plan = await createPlan(tenant)
  const eventsOf = await listening(tenant)
  const { member } = await subscriber(api, tenant, plan)
  await passDays(api, tenant, 32)
  await member.client.identity.withdraw({ password }).catch(async () => {
    // The session has ended meanwhile.
    const { token } = await tenant.guest.identity.login({ email: member.email, password })
    await api.client(tenant.code, { token }).identity.withdraw({ password })
  })
  const events = await eventsOf()
  expect(events.map(({ type }) => type)).toEqual([
    'subscription.started',
    'subscription.renewed',
    'subscription.ended',
    'member.deleted',
  ])
  for (const { data } of events.slice(0, 3)) expect(data).toMatchObject({ memberId: member.id, planId: plan.id })
  expect(events[1]?.data).toMatchObject({ amount: plan.price })
  expect(events[2]?.data).toMatchObject({ reason: 'WITHDRAWN' })
  expect(events[3]?.data).toEqual({ memberId: member.id, byStaff: false, mergedIntoId: null })
})

test('a pause, its end, and a change of plan now or at the renewal are published', async () => {
  const tenant = await createPlanTenant(api)
  const [small, large] = [await createPlan(tenant, { price: 900 }), await createPlan(tenant, { price: 1900 })]
  const staff = await programOf(api, tenant)
  const { member } = await subscriber(api, tenant, small)
  const eventsOf = await listening(tenant)
  const asSeen = async () => staff.withVersion(await versionOf(staff, member)).admin.members
  await (await asSeen()).pauseSubscription({ id: member.id, reason: 'Away' })
  await (await asSeen()).resumeSubscription({ id: member.id, reason: 'Back' })
  const { now } = await staff.client.admin.members.quotePlanChange({ id: member.id, planId: large.id })
  await (await asSeen()).changePlanNow({ id: member.id, quoteId: now!.id, reason: 'Asked' })
  await (await asSeen()).changePlan({ id: member.id, planId: small.id, reason: 'Asked' })
  await passDays(api, tenant, 32)
  const events = (await eventsOf()).filter(({ type }) => type !== 'subscription.renewed')
  const of = { memberId: member.id }
  expect(events).toMatchObject([
    { type: 'subscription.paused', data: { ...of, planId: small.id, resumeAt: null } },
    { type: 'subscription.resumed', data: { ...of, planId: small.id, periodEnd: expect.any(String) } },
    { type: 'subscription.plan_changed', data: { ...of, planId: large.id, formerPlanId: small.id } },
    { type: 'subscription.plan_changed', data: { ...of, planId: small.id, formerPlanId: large.id } },
  ])
})

test('the event of an account that was merged names the other one', async () => {
  const tenant = await createPlanTenant(api)
  const [member, other] = [await tenant.createMember(), await tenant.createMember()]
  const eventsOf = await listening(tenant)
  const { members } = (await tenant.createStaff()).client.admin
  await members.merge({ id: member.id, otherId: other.id, email: other.email, reason: 'Signed up twice' })
  expect(await eventsOf()).toMatchObject([
    { type: 'member.deleted', data: { memberId: other.id, byStaff: true, mergedIntoId: member.id } },
  ])
})

test('a new member, an inquiry, a held comment and a product on sale are published without personal data', async () => {
  const tenant = await createPlanTenant(api)
  const eventsOf = await listening(tenant)
  const form = {
    email: `new-${tenant.code}@example.com`,
    password: 'a long enough word',
    name: 'Sora Lee',
    phone: '+12133734253',
    agreeTerms: true,
    agreePrivacy: true,
    isOldEnough: true,
  } as const
  const { token } = await tenant.guest.identity.requestJoin(form)
  await tenant.guest.identity.confirmJoin({ token, code: codeIn(await mailTo(tenant, form.email)) })
  await tenant.guest.identity.join({ token })

  const member = await tenant.createMember()
  const product = await tenant.createProduct({ status: 'DRAFT', code: 'quiet-tide' })
  const { code: inquiryCode } = await member.client.support.createInquiry({
    type: 'ETC' as InquiryTypeCode,
    title: 'A question of mine',
    body: 'My secret',
    files: [],
  })
  const catalog = await tenant.createStaff()
  const { products } = catalog.client.admin
  const { version } = await products.get({ code: productCode.parse('quiet-tide') })
  const onSale = await catalog
    .withVersion(version)
    .admin.products.change({ code: productCode.parse('quiet-tide'), status: 'ON_SALE' })
  await catalog
    .withVersion(onSale.version)
    .admin.products.change({ code: productCode.parse('quiet-tide'), title: 'Loud tide' })
  const table = await tenant.createProduct({ status: 'DRAFT', code: 'table-tide' })
  const importOf = (status: string) => {
    const file = new File([`code,title,kind,status\r\ntable-tide,Table,VOD,${status}`], 'products.csv')
    return catalog.client.admin.imports.create({ table: 'products', file })
  }
  for (const status of ['ENDED', 'ON_SALE', 'ON_SALE']) expect(await importOf(status)).toMatchObject({ problems: [] })
  const comment = await member.client.engagement.addComment({ id: product.id, body: 'Fine' })
  await member.client.engagement.editComment({ id: product.id, commentId: comment.id, body: 'See www.example.com' })
  const events = await eventsOf()
  expect(events.map(({ type, data }) => [type, data])).toEqual([
    ['member.joined', { memberId: expect.any(String) }],
    ['inquiry.received', { inquiryCode, type: 'ETC', memberId: member.id, productId: null, orderCode: null }],
    ['product.on_sale', { productId: product.id, productCode: 'quiet-tide', saleFrom: null, saleTo: null }],
    ['product.on_sale', { productId: table.id, productCode: 'table-tide', saleFrom: null, saleTo: null }],
    ['comment.held', { commentId: comment.id, productId: product.id, memberId: member.id }],
  ])
  expect(JSON.stringify(events)).not.toMatch(/Sora|Mina|@example|question|secret/)
})

test('an endpoint that is deleted while an order is paid does not fail the payment', async () => {
  const tenant = await createPlanTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct()
  const endpoints = await Promise.all(
    [1, 2, 3].map(() => createEndpoint(tenant, 'http://127.0.0.1:9/hook', ['order.paid'])),
  )
  const [order] = await Promise.all([
    buy(api, tenant, member, product),
    ...endpoints.map(({ id, version, staff }) => staff.withVersion(version).webhooks.delete({ id })),
  ])
  expect(order.status).toBe('PAYMENT_COMPLETE')
})

test('a refund that waits for a decision is published when it is asked for, withdrawn, refused and paid', async () => {
  const tenant = await createPlanTenant(api)
  const eventsOf = await listening(tenant)
  const member = await tenant.createMember()
  const product = await tenant.createProduct({ price: 2900 })
  const order = await open(tenant, member, await buy(api, tenant, member, product), product)
  const code = order.code as OrderCode
  const { orders } = (await tenant.createStaff()).client.admin
  await requestRefund(tenant, member, order)
  await member.client.billing.withdrawCancelRequest({ code })
  await requestRefund(tenant, member, order)
  await orders.rejectCancel({ code, reason: 'Watched to the end' })
  await requestRefund(tenant, member, order)
  await orders.acceptCancel({ code })
  const events = (await eventsOf()).slice(1)
  const refund = {
    orderCode: code,
    memberId: member.id,
    amount: { amount: 2900, currency: tenant.settings.base.currency },
    productIds: [product.id],
  }
  const requested = { type: 'order.refund_requested', data: { ...refund, needsDecision: true } }
  expect(events).toMatchObject([
    requested,
    { type: 'order.refund_withdrawn', data: refund },
    requested,
    { type: 'order.refund_rejected', data: refund },
    requested,
    { type: 'order.refunded', data: { ...refund, whole: true } },
  ])
  expect(JSON.stringify(events)).not.toMatch(/Watched|twice/)
})

test('a bank transfer is published that the provider reports, that staff record and that they match', async () => {
  const tenant = await createBankTenant(api)
  const product = await tenant.createProduct({ price: 2900 })
  const eventsOf = await listening(tenant)
  const waiting = async () => {
    const member = await tenant.createMember()
    const { order, bank } = await beginToDeposit(api, tenant, member, product)
    return { member, bank, code: order.code as OrderCode }
  }
  const [reported, recorded, late] = [await waiting(), await waiting(), await waiting()]
  await reported.bank.deposit(2900)
  await deliverDue(api, tenant)
  const { token, client } = await tenant.createOperator()
  const asSeen = async (code: OrderCode) => {
    const { version } = await client.admin.orders.get({ code })
    const headers = { 'if-match': `"${version}"` }
    return api.client(tenant.code, { token, idempotencyKey: crypto.randomUUID(), headers }).admin.deposits
  }
  const day = api.clock.now().toISOString().slice(0, 10)
  const transfer = { code: recorded.code, amount: 2500, reference: 'MINA PARK', day, reason: 'A fee of the bank' }
  await (await asSeen(recorded.code)).receive(transfer)

  // It comes after the deadline, and is used for another order.
  api.clock.advance(8 * 24 * 3_600_000)
  await reconcileNow(api, tenant)
  await late.bank.deposit(2900, { late: true })
  await deliverDue(api, tenant)
  await reconcileNow(api, tenant)
  const matched = await waiting()
  const [unapplied] = (await client.admin.deposits.toReturn({})).unapplied
  await (await asSeen(matched.code)).match({ id: unapplied!.id, code: matched.code })

  const { currency } = tenant.settings.base
  const received = ({ member, code }: typeof late, amount: number, total: number, byStaff: boolean) => ({
    orderCode: code,
    memberId: member.id,
    amount: { amount, currency },
    total: { amount: total, currency },
    byStaff,
  })
  const events = await eventsOf()
  expect(events.filter(({ type }) => type === 'deposit.received').map(({ data }) => data)).toEqual([
    received(reported, 2900, 2900, false),
    received(recorded, 2500, 2500, true),
    received(matched, 2900, 2900, true),
  ])
  expect(events.filter(({ type }) => type === 'order.paid')).toHaveLength(3)
  expect(JSON.stringify(events)).not.toMatch(/MINA|fee/)

  // The bank takes back the first, and staff undo the second, which then costs as much as before.
  await reported.bank.reverse()
  await deliverDue(api, tenant)
  await (await asSeen(recorded.code)).undo({ code: recorded.code, reason: 'The wrong order' })
  const reversals = (await eventsOf()).filter(({ type }) => type === 'deposit.reversed')
  const reversed = ({ member, code }: typeof late, amount: number, byStaff: boolean) => ({
    orderCode: code,
    memberId: member.id,
    amount: { amount, currency },
    total: { amount: 2900, currency },
    dueAt: expect.any(String),
    productIds: [product.id],
    byStaff,
  })
  expect(reversals.map(({ data }) => data)).toEqual([reversed(reported, 2900, false), reversed(recorded, 2500, true)])
})

test('a declined first payment, upgrade and renewal are published, with the time of the next attempt', async () => {
  const tenant = await createPlanTenant(api)
  const [plan, dear] = [await createPlan(tenant), await createPlan(tenant, { price: 1900 })]
  const eventsOf = await listening(tenant)
  const { currency } = tenant.settings.base
  const { member: poor } = await subscriber(api, tenant, plan, 'insufficientFunds')
  const failed = { planId: plan.id, chargeId: expect.any(String), amount: { amount: 900, currency } }
  expect(await eventsOf()).toMatchObject([
    {
      type: 'charge.failed',
      data: { ...failed, memberId: poor.id, kind: 'FIRST', failure: 'INSUFFICIENT_FUNDS', nextAttemptAt: null },
    },
  ])

  const { member } = await subscriber(api, tenant, plan, 'renewalsDeclined')
  const quote = await member.client.subscriptions.quote({ planId: dear.id })
  const change = { planId: dear.id, quoteId: quote.id! }
  expect(await failureOf(keyed(api, tenant, member).subscriptions.changePlan(change))).toMatchObject({
    code: 'CARD_REFUSED',
  })
  const declined = { ...failed, memberId: member.id, failure: 'CARD_DECLINED' }
  expect((await eventsOf()).slice(1)).toMatchObject([
    { type: 'subscription.started' },
    { type: 'charge.failed', data: { ...declined, kind: 'UPGRADE', amount: quote.charge, nextAttemptAt: null } },
  ])

  await passDays(api, tenant, 42)
  const events = (await eventsOf()).slice(3)
  const renewals = events.filter(({ type }) => type === 'charge.failed').map(({ data }) => data)
  expect(events.at(-1)).toMatchObject({ type: 'subscription.ended', data: { reason: 'UNPAID' } })
  expect(renewals).toHaveLength(events.length - 1)
  for (const data of renewals) expect(data).toMatchObject({ ...declined, kind: 'RENEWAL' })
  expect(renewals.map(({ nextAttemptAt }) => nextAttemptAt !== null)).toEqual([true, true, true, true, false])
})

test('a cancellation is published when it is planned, revoked, moved and comes into effect', async () => {
  const tenant = await createPlanTenant(api)
  const plan = await createPlan(tenant)
  const { member, confirmed } = await subscriber(api, tenant, plan)
  const { member: overdue } = await subscriber(api, tenant, plan, 'renewalsDeclined')
  const staff = await programOf(api, tenant)
  const eventsOf = await listening(tenant)
  const { periodEnd } = confirmed.subscription!
  await member.client.subscriptions.cancelSubscription({ reason: 'Too dear' })
  await member.client.subscriptions.cancelSubscription({})
  await member.client.subscriptions.resumeSubscription()
  await member.client.subscriptions.resumeSubscription()
  const asSeen = async () => staff.withVersion(await versionOf(staff, member)).admin.members
  await (await asSeen()).cancelSubscription({ id: member.id, reason: 'Asked by telephone' })
  await (await asSeen()).extendSubscription({ id: member.id, days: 2, reason: 'The player failed' })
  const of = { memberId: member.id, planId: plan.id }
  const moved = new Date(Date.parse(periodEnd!) + 2 * 24 * 3_600_000).toISOString()
  const scheduled = 'subscription.cancellation_scheduled'
  expect(await eventsOf()).toMatchObject([
    { type: scheduled, data: { ...of, cancelAt: periodEnd } },
    { type: 'subscription.cancellation_revoked', data: of },
    { type: scheduled, data: { ...of, cancelAt: periodEnd } },
    { type: scheduled, data: { ...of, cancelAt: moved } },
  ])

  await passDays(api, tenant, 34)
  await (await signedInAgain(api, tenant, overdue)).subscriptions.cancelSubscription({})
  const events = (await eventsOf()).slice(4)
  // What is overdue ends at once, so that no end was planned.
  expect(events.filter(({ type }) => type === scheduled)).toEqual([])
  expect(events.filter(({ type }) => type === 'subscription.ended')).toMatchObject([
    { data: { ...of, reason: 'CANCELLED' } },
    { data: { memberId: overdue.id, reason: 'CANCELLED' } },
  ])
  expect(JSON.stringify(events)).not.toMatch(/dear|telephone/)
})

test('the refund of a charge is published with what is refunded in all', async () => {
  const tenant = await createPlanTenant(api)
  const plan = await createPlan(tenant)
  const { member } = await subscriber(api, tenant, plan)
  const eventsOf = await listening(tenant)
  const staff = await programOf(api, tenant)
  await passDays(api, tenant, 1)
  const asSeen = staff.withVersion(await versionOf(staff, member)).admin.members
  const { refund } = await asSeen.endSubscription({ id: member.id, reason: 'Asked by telephone' })
  const of = { memberId: member.id, planId: plan.id }
  expect(await eventsOf()).toMatchObject([
    { type: 'subscription.ended', data: { ...of, reason: 'REFUNDED' } },
    { type: 'charge.refunded', data: { ...of, amount: refund, refundedTotal: refund, whole: false } },
  ])
})

test('a trial is published when it begins, and its first payment as a renewal', async () => {
  const tenant = await createPlanTenant(api)
  const plan = await createPlan(tenant, { trialDays: 7 })
  const eventsOf = await listening(tenant)
  const { member, confirmed } = await subscriber(api, tenant, plan)
  const { periodEnd } = confirmed.subscription!
  await passDays(api, tenant, 8)
  const of = { memberId: member.id, planId: plan.id }
  expect(await eventsOf()).toMatchObject([
    { type: 'subscription.started', data: { ...of, periodEnd, trialEndsAt: periodEnd } },
    { type: 'subscription.renewed', data: { ...of, amount: plan.price } },
  ])
})
