import { expect, test } from 'vitest'
import { cancelRequests } from '#api/modules/billing/billing.schema.ts'
import { dayMilliseconds as day } from '#api/platform/clock.ts'
import { audit } from '#api/platform/db/platform.schema.ts'
import type { OrderItemId } from '#contract/ids.ts'
import { beginToDeposit, createBankTenant, myAccount } from '#tests/support/bank.ts'
import { buy, keyed, terms } from '#tests/support/buying.ts'
import { mailsTo } from '#tests/support/mails.ts'
import { createFilm } from '#tests/support/media.ts'
import { deliverDue } from '#tests/support/reconciling.ts'
import { refunding } from '#tests/support/refunding.ts'
import { createTenant, password } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const { arrange, readOrder, requestRefund, isEntitled, refunded, buyAll } = refunding(api)

test('an unopened product paid by card is refunded at once and its entitlement revoked', async () => {
  const { tenant, member, product } = await arrange()
  const order = await buy(api, tenant, member, product)
  expect(order.cancel).toMatchObject({
    action: 'REFUND',
    automatic: true,
    amount: { amount: 2900 },
    needsAccount: false,
  })
  expect(Date.parse(order.cancel.until!)).toBe(Date.parse(order.paidAt!) + 7 * day)
  const answer = await requestRefund(tenant, member, order, { expectedAmount: { amount: 2900, currency: 'USD' } })
  expect(answer).toMatchObject({
    status: 'CANCEL_COMPLETE',
    refundedAmount: { amount: 2900 },
    refund: { step: 'REFUND', outcome: 'REFUNDED', amount: { amount: 2900 }, reason: 'I bought it twice' },
    cancel: { action: 'NONE', why: 'DONE' },
    items: [{ refunded: true }],
  })
  expect(answer.timeline.slice(-3).map(({ type }) => type)).toEqual(['CANCEL_REQUESTED', 'CANCEL_ACCEPTED', 'REFUNDED'])
  expect(await isEntitled(member, product)).toBe(false)
  expect(await refunded(tenant)).toEqual([2900])
  expect(await tenant.within((db) => db.select().from(audit))).toMatchObject([
    { actor: 'rule', action: 'cancel.accepted', subject: `order:${order.code}` },
  ])
  expect((await mailsTo(tenant, member.email)).map(({ template }) => template)).toContain('refund-done')
})

test('a product whose refund is pending cannot be bought a second time', async () => {
  const tenant = await createBankTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct({ price: 2900 })
  const line = { productId: product.id, optionId: product.optionId! }
  const { bank, order } = await beginToDeposit(api, tenant, member, product)
  const draft = await keyed(api, tenant, member).orders.placeOrder({ buyNow: line, ...terms(tenant) })
  await bank.deposit(2900)
  await deliverDue(api, tenant)
  const answer = await requestRefund(tenant, member, order, { refundAccount: myAccount })
  expect(answer.status).toBe('CANCEL_REQUEST')
  expect(await isEntitled(member, product)).toBe(false)
  const refusals = [
    () => member.client.orders.addToCart(line),
    () => keyed(api, tenant, member).orders.placeOrder({ buyNow: line, ...terms(tenant) }),
    () =>
      keyed(api, tenant, member).billing.startPayment({
        code: draft.code,
        method: 'CARD',
        returnUrl: '/payments/result',
      }),
  ]
  for (const refusal of refusals)
    expect(await failureOf(refusal())).toMatchObject({ status: 409, code: 'ALREADY_OWNED' })
  await keyed(api, tenant, member).billing.withdrawCancelRequest({ code: order.code })
  expect(await isEntitled(member, product)).toBe(true)
})

test('a product shows the amount and the deadline of its refund until it is opened', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const [unopened, opened, gift] = [
    await createFilm(tenant, { price: 2900 }),
    await createFilm(tenant, { price: 1500 }),
    await createFilm(tenant, { price: 0 }),
  ]
  const productIds = [unopened.id, opened.id, gift.id]
  const refundable = async () => {
    const { items } = await member.client.catalog.viewerStates({ productIds })
    return productIds.map((id) => items.find((item) => item.productId === id)?.refundable ?? null)
  }
  expect(await refundable()).toEqual([null, null, null])
  const order = await buy(api, tenant, member, unopened)
  await buy(api, tenant, member, opened)
  await keyed(api, tenant, member).orders.placeOrder({
    buyNow: { productId: gift.id, optionId: gift.optionId! },
    ...terms(tenant),
  })
  const { refundDays } = tenant.settings.order
  const until = new Date(Date.parse(order.paidAt!) + refundDays * day).toISOString()
  const [first, second, third] = await refundable()
  expect(first).toEqual({ amount: { amount: 2900, currency: 'USD' }, until })
  expect(second?.amount.amount).toBe(1500)
  expect(third).toBeNull()
  await member.client.playback.startPlayback({ id: opened.id, acceptsFulfillment: true })
  expect((await refundable()).map((one) => one?.amount.amount ?? null)).toEqual([2900, null, null])
  expect((await member.client.catalog.product({ id: unopened.id })).viewer?.refundable).toEqual(first)
  api.clock.advance(refundDays * day + 60_000)
  const later = await tenant.guest.identity.login({ email: member.email, password })
  const { viewer } = await api.client(tenant.code, { token: later.token }).catalog.product({ id: unopened.id })
  expect(viewer).toMatchObject({ entitled: true, refundable: null })
})

test('twenty concurrent requests refund an order once', async () => {
  const { tenant, member, product } = await arrange()
  const order = await buy(api, tenant, member, product)
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => requestRefund(tenant, member, order)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1)
  expect(await refunded(tenant)).toEqual([2900])
  const after = await readOrder(member, order)
  expect(after.timeline.filter(({ type }) => type === 'REFUNDED')).toHaveLength(1)
  expect(after.refundedAmount.amount).toBe(2900)
  expect(await tenant.within((db) => db.select().from(cancelRequests))).toHaveLength(1)
})

test('a refund with another expected amount is refused and changes nothing', async () => {
  const { tenant, member, product } = await arrange()
  const order = await buy(api, tenant, member, product)
  const answer = requestRefund(tenant, member, order, { expectedAmount: { amount: 2800, currency: 'USD' } })
  expect(await failureOf(answer)).toMatchObject({
    code: 'PRICE_CHANGED',
    problem: { data: { total: { amount: 2900 } } },
  })
  expect((await readOrder(member, order)).status).toBe('PAYMENT_COMPLETE')
  expect(await isEntitled(member, product)).toBe(true)
})

test('items are refunded one by one, and each loses only its own entitlement', async () => {
  const { tenant, member, product } = await arrange()
  const other = await tenant.createProduct({ price: 1100 })
  const order = await buyAll(tenant, member, [product, other])
  const [first, second] = order.items
  const itemIds = [first!.id as OrderItemId]
  const part = await requestRefund(tenant, member, order, { itemIds })
  expect(part).toMatchObject({
    status: 'PAYMENT_COMPLETE',
    refundedAmount: { amount: 2900 },
    cancel: { action: 'REFUND' },
  })
  expect(part.timeline.at(-1)).toMatchObject({
    type: 'PARTLY_REFUNDED',
    amount: { amount: 2900 },
    detail: expect.any(String),
  })
  expect(part.cancel.itemIds).toEqual([second!.id])
  expect(await isEntitled(member, product)).toBe(false)
  expect(await isEntitled(member, other)).toBe(true)
  expect(await failureOf(requestRefund(tenant, member, order, { itemIds }))).toMatchObject({
    code: 'CANCEL_NOT_POSSIBLE',
  })
  expect(await requestRefund(tenant, member, order)).toMatchObject({
    status: 'CANCEL_COMPLETE',
    refundedAmount: { amount: 4000 },
  })
  expect(await refunded(tenant)).toEqual([4000])
})

test('orders that are free, unpaid or of another member cannot be refunded', async () => {
  const { tenant, member, product } = await arrange()
  const order = await buy(api, tenant, member, product)
  const stranger = await tenant.createMember()
  expect(await failureOf(requestRefund(tenant, stranger, order))).toMatchObject({ status: 404 })
  const draft = await keyed(api, tenant, stranger).orders.placeOrder({
    buyNow: { productId: product.id, optionId: product.optionId! },
    ...terms(tenant),
  })
  expect(draft.cancel).toMatchObject({ action: 'NONE', why: 'NOT_PAID' })
  expect(await failureOf(requestRefund(tenant, stranger, draft))).toMatchObject({ code: 'CANCEL_NOT_POSSIBLE' })
  const gift = await tenant.createProduct({ price: 0 })
  const free = await keyed(api, tenant, stranger).orders.placeOrder({
    buyNow: { productId: gift.id, optionId: gift.optionId! },
    ...terms(tenant),
  })
  await keyed(api, tenant, stranger).billing.startPayment({ code: free.code, method: 'CARD', returnUrl: '/' })
  expect(await readOrder(stranger, free)).toMatchObject({ status: 'PAYMENT_COMPLETE', cancel: { action: 'NONE' } })
})
