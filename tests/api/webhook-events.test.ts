import { expect, test } from 'vitest'
import { webhookEventType } from '#contract/admin/webhooks.ts'
import { type InquiryTypeCode, productCode } from '#contract/ids.ts'
import { buy } from '#tests/support/buying.ts'
import { codeIn, mailTo } from '#tests/support/mails.ts'
import { createPlan, createPlanTenant } from '#tests/support/plans.ts'
import { refunding } from '#tests/support/refunding.ts'
import { passDays, subscriber } from '#tests/support/subscribing.ts'
import { programOf, versionOf } from '#tests/support/subscriptions-by-staff.ts'
import { password, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { createEndpoint } from '#tests/support/webhook-receiver.ts'

const api = createTestApi()
const { requestRefund, buyAll } = refunding(api)

/** The events of a store so far, the oldest first, by an endpoint that wants them all. */
const listening = async (tenant: Tenant) => {
  const { id } = await createEndpoint(tenant, 'http://127.0.0.1:9/hook', [...webhookEventType.options])
  return async () => {
    // Sessions are shorter than the periods of plans.
    const { webhooks } = (await tenant.createStaff()).client
    const { items } = await webhooks.deliveries({ id })
    const views = await Promise.all(items.map((item) => webhooks.delivery({ id, deliveryId: item.id })))
    return views.reverse().map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> })
  }
}

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
  const refunds = (await eventsOf()).slice(1)
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
