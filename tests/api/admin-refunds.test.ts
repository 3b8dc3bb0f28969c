import { expect, test } from 'vitest'
import { cases } from '#api/modules/billing/billing.schema.ts'
import { type PaymentProvider, ProviderUnavailable } from '#api/modules/billing/providers/provider.ts'
import { reconcile } from '#api/modules/billing/reconcile-payments.ts'
import { acceptCancel, rejectCancel } from '#api/modules/billing/refund-decisions.ts'
import { refundPayment } from '#api/modules/billing/refund-payments.ts'
import { dayMilliseconds as day } from '#api/platform/clock.ts'
import { audit } from '#api/platform/db/platform.schema.ts'
import type { OrderCode, OrderItemId } from '#contract/ids.ts'
import { buy } from '#tests/support/buying.ts'
import { mailsTo } from '#tests/support/mails.ts'
import { asMember, createFilm, openMedia } from '#tests/support/media.ts'
import { ctxOf, reconcileNow, withProvider } from '#tests/support/reconciling.ts'
import { refunding } from '#tests/support/refunding.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const media = await openMedia(api)
const { arrange, readOrder, requestRefund, isEntitled, refunded, buyAll, open } = refunding(api)
const by = 'admin:Jo' as const

test('a refund request for opened products waits for an operator, suspends access, and can be withdrawn', async () => {
  const { tenant, member, product } = await arrange()
  const order = await open(tenant, member, await buy(api, tenant, member, product), product)
  expect(order.cancel).toMatchObject({ action: 'REFUND', automatic: false, why: 'ALL_OPENED' })
  expect(order.refundableUntil).toBeNull()
  const waiting = await requestRefund(tenant, member, order)
  expect(waiting).toMatchObject({
    status: 'CANCEL_REQUEST',
    refund: { step: 'PENDING' },
    cancel: { action: 'WITHDRAW' },
  })
  expect(await isEntitled(member, product)).toBe(false)
  expect(await tenant.within((db) => db.select().from(cases))).toMatchObject([{ type: 'ORDER_CANCEL', status: 'WAIT' }])
  const code = order.code as OrderCode
  expect(await member.client.billing.withdrawCancelRequest({ code })).toMatchObject({
    status: 'PAYMENT_COMPLETE',
    refund: { outcome: 'WITHDRAWN' },
  })
  expect(await isEntitled(member, product)).toBe(true)
  expect(await failureOf(member.client.billing.withdrawCancelRequest({ code }))).toMatchObject({
    code: 'CANCEL_NOT_POSSIBLE',
  })
  expect(await tenant.within((db) => db.select().from(cases))).toMatchObject([{ status: 'COMPLETE' }])
  expect(await refunded(tenant)).toEqual([0])
})

test('a refund of unopened items is automatic, and one that includes opened items waits for an operator', async () => {
  const { tenant, member, product } = await arrange()
  const other = await tenant.createProduct({ price: 1100 })
  const order = await open(tenant, member, await buyAll(tenant, member, [product, other]), product)
  const opened = order.items.find((item) => item.opened)!
  const unopened = order.items.find((item) => !item.opened)!
  expect(order.cancel).toMatchObject({
    automatic: true,
    itemIds: [unopened.id],
    reviewItemIds: [opened.id],
    amount: { amount: 1100 },
  })
  const all = await requestRefund(tenant, member, order, { itemIds: [opened.id, unopened.id] as OrderItemId[] })
  expect(all).toMatchObject({ status: 'CANCEL_REQUEST', refund: { amount: { amount: 4000 } } })
  await member.client.billing.withdrawCancelRequest({ code: order.code as OrderCode })
  expect(await requestRefund(tenant, member, order)).toMatchObject({
    status: 'PAYMENT_COMPLETE',
    refundedAmount: { amount: 1100 },
  })
})

test('a refund request stops a running stream, its withdrawal restores it, and the refund stops it for good', async () => {
  const { tenant, member } = await arrange()
  const film = await createFilm(tenant, { price: 2900 })
  await media.write(`${film.video.asset}/master.m3u8`, '#EXTM3U')
  const order = await buy(api, tenant, member, film)
  const { manifestUrl } = await member.client.playback.startPlayback({ id: film.id, acceptsFulfillment: true })
  const watch = async () => (await media.get(manifestUrl, asMember(member.token))).status
  expect(await watch()).toBe(200)
  expect(await readOrder(member, order)).toMatchObject({ items: [{ opened: true }], cancel: { automatic: false } })
  await requestRefund(tenant, member, order)
  expect(await watch()).toBe(403)
  expect(await failureOf(member.client.playback.startPlayback({ id: film.id }))).toMatchObject({ code: 'NOT_ENTITLED' })
  const code = order.code as OrderCode
  await member.client.billing.withdrawCancelRequest({ code })
  expect(await watch()).toBe(200)
  await requestRefund(tenant, member, order)
  await acceptCancel(await ctxOf(api, tenant), { code, by })
  expect(await watch()).toBe(403)
})

test('a refund request accepted by an operator refunds the payment, and the audit names the operator', async () => {
  const { tenant, member, product } = await arrange()
  const order = await open(tenant, member, await buy(api, tenant, member, product), product)
  await requestRefund(tenant, member, order)
  const ctx = await ctxOf(api, tenant)
  const code = order.code as OrderCode
  expect(await acceptCancel(ctx, { code, by })).toEqual({ step: 'REFUND' })
  expect(await acceptCancel(ctx, { code, by })).toMatchObject({ failure: 'CANCEL_NOT_POSSIBLE' })
  expect(await acceptCancel(ctx, { code: '20260101-000000' as OrderCode, by })).toMatchObject({ failure: 'NOT_FOUND' })
  expect(await readOrder(member, order)).toMatchObject({ status: 'CANCEL_COMPLETE', refundedAmount: { amount: 2900 } })
  expect(await refunded(tenant)).toEqual([2900])
  expect(await tenant.within((db) => db.select().from(audit))).toMatchObject([{ actor: by, action: 'cancel.accepted' }])
})

test('a refund request rejected by an operator restores access, and the mail contains the reason', async () => {
  const { tenant, member, product } = await arrange()
  const order = await open(tenant, member, await buy(api, tenant, member, product), product)
  await requestRefund(tenant, member, order)
  const ctx = await ctxOf(api, tenant)
  const decision = { code: order.code as OrderCode, by }
  const reject = (reason: string) => ctx.inTransaction((tx) => rejectCancel(tx, { ...decision, reason }))
  expect(await reject('  ')).toMatchObject({ failure: 'VALIDATION_FAILED' })
  expect(await reject('It was watched to the end.')).toEqual({ outcome: 'REJECTED' })
  const restored = await readOrder(member, order)
  expect(restored).toMatchObject({
    status: 'PAYMENT_COMPLETE',
    refund: { outcome: 'REJECTED', rejection: 'It was watched to the end.' },
    cancel: { action: 'REFUND' },
  })
  expect(await isEntitled(member, product)).toBe(true)
  expect((await mailsTo(tenant, member.email))[0]?.text).toContain('It was watched to the end.')
  expect(await tenant.within((db) => db.select().from(audit))).toMatchObject([{ actor: by, action: 'cancel.rejected' }])
})

test('acceptance, rejection and withdrawal of a refund request at once result in one decision', async () => {
  const { tenant, member, product } = await arrange()
  const order = await open(tenant, member, await buy(api, tenant, member, product), product)
  await requestRefund(tenant, member, order)
  const ctx = await ctxOf(api, tenant)
  const code = order.code as OrderCode
  await Promise.all([
    acceptCancel(ctx, { code, by }),
    ctx.inTransaction((tx) => rejectCancel(tx, { code, by, reason: 'No.' })),
    member.client.billing.withdrawCancelRequest({ code }).catch(() => undefined),
  ])
  const after = await readOrder(member, order)
  const isRefunded = after.status === 'CANCEL_COMPLETE'
  expect(await refunded(tenant)).toEqual([isRefunded ? 2900 : 0])
  expect(await isEntitled(member, product)).toBe(!isRefunded)
  expect(await tenant.within((db) => db.select().from(audit))).toHaveLength(
    after.refund?.outcome === 'WITHDRAWN' ? 0 : 1,
  )
})

test('a refund request after the store’s refund period is refused with CANCEL_NOT_POSSIBLE', async () => {
  const { tenant, member, product } = await arrange()
  const order = await buy(api, tenant, member, product)
  api.clock.advance(7 * day + 1000)
  expect((await readOrder(member, order)).cancel).toMatchObject({ action: 'NONE', why: 'TOO_LATE' })
  expect(await failureOf(requestRefund(tenant, member, order))).toMatchObject({ code: 'CANCEL_NOT_POSSIBLE' })
  expect((await tenant.guest.tenancy.siteSettings()).order.refundDays).toBe(7)
})

test('a refund that the payment provider refuses stays accepted, opens a case, and is retried later', async () => {
  const { tenant, member, product } = await arrange()
  const order = await buyAll(tenant, member, [product], '4000 0000 0000 5126')
  const refused = await requestRefund(tenant, member, order)
  expect(refused).toMatchObject({ status: 'CANCEL_REQUEST', refund: { step: 'ACCEPT' }, cancel: { why: 'UNDER_WAY' } })
  expect(refused.timeline.at(-1)).toMatchObject({ type: 'REFUND_FAILED', detail: 'REFUND_REFUSED' })
  expect(await isEntitled(member, product)).toBe(false)
  expect(await tenant.within((db) => db.select().from(cases))).toMatchObject([{ status: 'WAIT' }])
  await reconcileNow(api, tenant)
  expect((await readOrder(member, order)).status).toBe('CANCEL_REQUEST')
  api.clock.advance(61_000)
  await reconcileNow(api, tenant)
  expect(await readOrder(member, order)).toMatchObject({ status: 'CANCEL_COMPLETE', refundedAmount: { amount: 2900 } })
  expect(await tenant.within((db) => db.select().from(cases))).toMatchObject([{ status: 'COMPLETE' }])
})

test('a refund whose response from the payment provider is lost is not repeated', async () => {
  const { tenant, member, product } = await arrange()
  const other = await tenant.createProduct({ price: 1100 })
  const order = await buyAll(tenant, member, [product, other])
  const ctx = await ctxOf(api, tenant)
  const losesResponse: Partial<PaymentProvider> = {
    refund: async (...args) => {
      await ctx.provider.refund(...args)
      throw new ProviderUnavailable('The connection was lost.')
    },
  }
  const first = order.items[0]!
  const opened = await open(tenant, member, order, product)
  await requestRefund(tenant, member, opened, { itemIds: [first.id as OrderItemId] })
  const unreliableCtx = withProvider(ctx, losesResponse)
  expect(await acceptCancel(unreliableCtx, { code: order.code as OrderCode, by })).toEqual({ step: 'ACCEPT' })
  expect(await refunded(tenant)).toEqual([first.price.amount])
  await Promise.all(Array.from({ length: 5 }, () => refundPayment(ctx, order.payment!.id)))
  api.clock.advance(day)
  await reconcile(unreliableCtx)
  expect(await readOrder(member, order)).toMatchObject({ status: 'PAYMENT_COMPLETE', refundedAmount: first.price })
  expect(await requestRefund(tenant, member, order)).toMatchObject({ status: 'CANCEL_COMPLETE' })
  expect(await refunded(tenant)).toEqual([4000])
})
