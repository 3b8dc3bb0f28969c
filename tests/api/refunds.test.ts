import { expect, test } from 'vitest'
import { cancelRequests } from '#api/modules/billing/billing.schema.ts'
import { audit } from '#api/platform/audit.schema.ts'
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
const { arrange, look, ask, owns, refunded, buyAll } = refunding(api)
const day = 86_400_000

test('what was not opened and paid by card goes back at once, with the right to it', async () => {
  const { tenant, member, product } = await arrange()
  const order = await buy(api, tenant, member, product)
  expect(order.cancel).toMatchObject({ may: 'REFUND', automatic: true, amount: { amount: 2900 }, needsAccount: false })
  expect(Date.parse(order.cancel.until!)).toBe(Date.parse(order.paidAt!) + 7 * day)
  const back = await ask(tenant, member, order, { expectedAmount: { amount: 2900, currency: 'USD' } })
  expect(back).toMatchObject({
    status: 'CANCEL_COMPLETE',
    refundedAmount: { amount: 2900 },
    refund: { step: 'REFUND', outcome: 'REFUNDED', amount: { amount: 2900 }, reason: 'I bought it twice' },
    cancel: { may: 'NONE', why: 'DONE' },
    items: [{ refunded: true }],
  })
  expect(back.timeline.slice(-3).map(({ type }) => type)).toEqual(['CANCEL_REQUESTED', 'CANCEL_ACCEPTED', 'REFUNDED'])
  expect(await owns(member, product)).toBe(false)
  expect(await refunded(tenant)).toEqual([2900])
  expect(await tenant.within((db) => db.select().from(audit))).toMatchObject([
    { actor: 'rule', action: 'cancel.accepted', subject: `order:${order.code}` },
  ])
  expect((await mailsTo(tenant, member.email)).map(({ template }) => template)).toContain('refund-done')
})

test('what waits for the decision about its refund is not bought a second time', async () => {
  const tenant = await createBankTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct({ price: 2900 })
  const line = { productId: product.id, optionId: product.optionId! }
  const { bank, order } = await beginToDeposit(api, tenant, member, product)
  const draft = await keyed(api, tenant, member).commerce.placeOrder({ buyNow: line, ...terms(tenant) })
  await bank.deposit(2900)
  await deliverDue(api, tenant)
  const asked = await ask(tenant, member, order, { refundAccount: myAccount })
  expect(asked.status).toBe('CANCEL_REQUEST')
  expect(await owns(member, product)).toBe(false)
  const refusals = [
    () => member.client.commerce.addToCart(line),
    () => keyed(api, tenant, member).commerce.placeOrder({ buyNow: line, ...terms(tenant) }),
    () =>
      keyed(api, tenant, member).commerce.startPayment({
        ...{ code: draft.code, method: 'CARD', returnUrl: '/payments/result' },
      }),
  ]
  for (const refusal of refusals)
    expect(await failureOf(refusal())).toMatchObject({ status: 409, code: 'ALREADY_OWNED' })
  await keyed(api, tenant, member).commerce.withdrawCancelRequest({ code: order.code })
  expect(await owns(member, product)).toBe(true)
})

test('a product says what can be refunded until when, as long as what was bought is not opened', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const [kept, begun, gift] = [
    await createFilm(tenant, { price: 2900 }),
    await createFilm(tenant, { price: 1500 }),
    await createFilm(tenant, { price: 0 }),
  ]
  const productIds = [kept.id, begun.id, gift.id]
  const refundable = async () => {
    const { items } = await member.client.catalog.viewerStates({ productIds })
    return productIds.map((id) => items.find((item) => item.productId === id)?.refundable ?? null)
  }
  expect(await refundable()).toEqual([null, null, null])
  const order = await buy(api, tenant, member, kept)
  await buy(api, tenant, member, begun)
  await keyed(api, tenant, member).commerce.placeOrder({
    ...{ buyNow: { productId: gift.id, optionId: gift.optionId! }, ...terms(tenant) },
  })
  const { refundDays } = tenant.settings.order
  const until = new Date(Date.parse(order.paidAt!) + refundDays * day).toISOString()
  const [first, second, third] = await refundable()
  expect(first).toEqual({ amount: { amount: 2900, currency: 'USD' }, until })
  expect(second?.amount.amount).toBe(1500)
  expect(third).toBeNull()
  await member.client.playback.startPlayback({ id: begun.id, acceptsFulfillment: true })
  expect((await refundable()).map((one) => one?.amount.amount ?? null)).toEqual([2900, null, null])
  expect((await member.client.catalog.product({ id: kept.id })).viewer?.refundable).toEqual(first)
  api.clock.advance(refundDays * day + 60_000)
  const later = await tenant.guest.accounts.login({ email: member.email, password })
  const { viewer } = await api.client(tenant.code, { token: later.token }).catalog.product({ id: kept.id })
  expect(viewer).toMatchObject({ entitled: true, refundable: null })
})

test('twenty requests at once give the money back once', async () => {
  const { tenant, member, product } = await arrange()
  const order = await buy(api, tenant, member, product)
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => ask(tenant, member, order)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1)
  expect(await refunded(tenant)).toEqual([2900])
  const after = await look(member, order)
  expect(after.timeline.filter(({ type }) => type === 'REFUNDED')).toHaveLength(1)
  expect(after.refundedAmount.amount).toBe(2900)
  expect(await tenant.within((db) => db.select().from(cancelRequests))).toHaveLength(1)
})

test('an amount other than the person saw is refused, and nothing changes', async () => {
  const { tenant, member, product } = await arrange()
  const order = await buy(api, tenant, member, product)
  const asked = ask(tenant, member, order, { expectedAmount: { amount: 2800, currency: 'USD' } })
  expect(await failureOf(asked)).toMatchObject({
    code: 'PRICE_CHANGED',
    problem: { data: { total: { amount: 2900 } } },
  })
  expect((await look(member, order)).status).toBe('PAYMENT_COMPLETE')
  expect(await owns(member, product)).toBe(true)
})

test('single items go back, one after the other, and only they are closed', async () => {
  const { tenant, member, product } = await arrange()
  const other = await tenant.createProduct({ price: 1100 })
  const order = await buyAll(tenant, member, [product, other])
  const [first, second] = order.items
  const itemIds = [first!.id as OrderItemId]
  const part = await ask(tenant, member, order, { itemIds })
  expect(part).toMatchObject({
    status: 'PAYMENT_COMPLETE',
    refundedAmount: { amount: 2900 },
    cancel: { may: 'REFUND' },
  })
  expect(part.timeline.at(-1)).toMatchObject({ type: 'PARTLY_REFUNDED', amount: { amount: 2900 } })
  expect(part.cancel.itemIds).toEqual([second!.id])
  expect(await owns(member, product)).toBe(false)
  expect(await owns(member, other)).toBe(true)
  expect(await failureOf(ask(tenant, member, order, { itemIds }))).toMatchObject({ code: 'CANCEL_NOT_POSSIBLE' })
  expect(await ask(tenant, member, order)).toMatchObject({
    status: 'CANCEL_COMPLETE',
    refundedAmount: { amount: 4000 },
  })
  expect(await refunded(tenant)).toEqual([4000])
})

test('what cost nothing, was not paid or is somebody else’s cannot be sent back', async () => {
  const { tenant, member, product } = await arrange()
  const order = await buy(api, tenant, member, product)
  const stranger = await tenant.createMember()
  expect(await failureOf(ask(tenant, stranger, order))).toMatchObject({ status: 404 })
  const draft = await keyed(api, tenant, stranger).commerce.placeOrder({
    buyNow: { productId: product.id, optionId: product.optionId! },
    ...terms(tenant),
  })
  expect(draft.cancel).toMatchObject({ may: 'NONE', why: 'NOT_PAID' })
  expect(await failureOf(ask(tenant, stranger, draft))).toMatchObject({ code: 'CANCEL_NOT_POSSIBLE' })
  const gift = await tenant.createProduct({ price: 0 })
  const free = await keyed(api, tenant, stranger).commerce.placeOrder({
    buyNow: { productId: gift.id, optionId: gift.optionId! },
    ...terms(tenant),
  })
  await keyed(api, tenant, stranger).commerce.startPayment({ code: free.code, method: 'CARD', returnUrl: '/' })
  expect(await look(stranger, free)).toMatchObject({ status: 'PAYMENT_COMPLETE', cancel: { may: 'NONE' } })
})
