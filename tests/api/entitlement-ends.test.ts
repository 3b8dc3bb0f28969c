import { expect, test } from 'vitest'
import { acceptCancel } from '#api/modules/billing/refund-decisions.ts'
import type { OrderCode, ProductId } from '#contract/ids.ts'
import { beginToPay, buy, keyed, terms } from '#tests/support/buying.ts'
import { cards } from '#tests/support/card-page.ts'
import { addRental, asMember, createFilm, openMedia } from '#tests/support/media.ts'
import { createPlan, createPlanTenant } from '#tests/support/plans.ts'
import { ctxOf } from '#tests/support/reconciling.ts'
import { refunding } from '#tests/support/refunding.ts'
import { day, passDays, subscriber } from '#tests/support/subscribing.ts'
import { createTenant, password, type Tenant, type TestMember } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const media = await openMedia(api)
const { requestRefund } = refunding(api)

type Film = Awaited<ReturnType<typeof createFilm>>

/** Starts playback, and returns a function that requests the manifest and returns its status. */
const play = async (member: TestMember, film: Film) => {
  await media.write(`${film.video.asset}/master.m3u8`, '#EXTM3U')
  const { manifestUrl } = await member.client.playback.startPlayback({ id: film.id, acceptsFulfillment: true })
  return async () => (await media.get(manifestUrl, asMember(member.token))).status
}

/** The reason with which playback of a film is refused to a member. */
const refusalReason = async (member: TestMember, { id }: { id: ProductId }) => {
  const { code, problem } = await failureOf(member.client.playback.startPlayback({ id }))
  expect(code).toBe('NOT_ENTITLED')
  return (problem.data as { reason: string }).reason
}

const rent = async (tenant: Tenant, member: TestMember, film: Film, days: number, startWithinDays: number) => {
  const optionId = await addRental(tenant, film.id, days, startWithinDays)
  const draft = { buyNow: { productId: film.id, optionId }, ...terms(tenant) }
  const order = await keyed(api, tenant, member).orders.placeOrder(draft)
  const { page, paymentId } = await beginToPay(api, tenant, member, order)
  await page.pay(cards.success)
  await member.client.billing.confirmPayment({ id: paymentId })
}

test('a refund request suspends the stream, the refund ends it, and playback is refused with the reason', async () => {
  const tenant = await createTenant(api)
  const [member, film] = [await tenant.createMember(), await createFilm(tenant, { price: 2900 })]
  expect(await refusalReason(member, film)).toBe('NONE')
  const order = await buy(api, tenant, member, film)
  const status = await play(member, film)
  expect(await status()).toBe(200)
  await requestRefund(tenant, member, order)
  expect([await status(), await refusalReason(member, film)]).toEqual([403, 'SUSPENDED'])
  await acceptCancel(await ctxOf(api, tenant), { code: order.code as OrderCode, by: 'admin:Jo' })
  expect([await status(), await refusalReason(member, film)]).toEqual([403, 'REFUNDED'])
})

test('a rental’s stream stops when the rental expires, and a rental that was not started expires too', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const [film, notStarted] = [await createFilm(tenant), await createFilm(tenant)]
  await rent(tenant, member, film, 3, 30)
  await rent(tenant, member, notStarted, 3, 2)
  await play(member, film)
  api.clock.advance(3 * day - 10_000)
  const status = await play(member, film)
  expect(await status()).toBe(200)
  api.clock.advance(10_000)
  expect([await status(), await refusalReason(member, film), await refusalReason(member, notStarted)]).toEqual([
    403,
    ...['EXPIRED', 'EXPIRED'],
  ])
})

test('the end of a plan stops its films with PLAN_ENDED, and other films are refused with NONE', async () => {
  const tenant = await createPlanTenant(api)
  const films = [await createFilm(tenant, { access: 'PLAN' }), await createFilm(tenant)] as const
  const { member: subscribed } = await subscriber(api, tenant, await createPlan(tenant))
  await subscribed.client.subscriptions.cancelSubscription({})
  const { accessUntil } = await subscribed.client.playback.startPlayback({ id: films[0].id })
  await passDays(api, tenant, Math.floor((Date.parse(accessUntil!) - api.clock.now().getTime()) / day))
  // The session has expired by then.
  const { token } = await tenant.guest.identity.login({ email: subscribed.email, password })
  const member = { ...subscribed, token, client: api.client(tenant.code, { token }) }
  const status = await play(member, films[0])
  expect(await status()).toBe(200)
  await passDays(api, tenant, 1)
  expect([await status(), await refusalReason(member, films[0]), await refusalReason(member, films[1])]).toEqual([
    403,
    ...['PLAN_ENDED', 'NONE'],
  ])
})
