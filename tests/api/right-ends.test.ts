import { expect, test } from 'vitest'
import { acceptCancel } from '#api/modules/billing/refund-decisions.ts'
import type { OrderCode, ProductId } from '#contract/ids.ts'
import { beginToPay, buy, keyed, terms } from '#tests/support/buying.ts'
import { cards } from '#tests/support/card-page.ts'
import { addRental, asMember, createFilm, openMedia } from '#tests/support/media.ts'
import { createPlan, createPlanTenant } from '#tests/support/plans.ts'
import { envOf } from '#tests/support/reconciling.ts'
import { refunding } from '#tests/support/refunding.ts'
import { day, passDays, subscriber } from '#tests/support/subscribing.ts'
import { createTenant, password, type Tenant, type TestMember } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const media = await openMedia(api)
const { ask } = refunding(api)

type Film = Awaited<ReturnType<typeof createFilm>>

/** Plays a film, and answers whether its address still opens. */
const play = async (member: TestMember, film: Film) => {
  await media.write(`${film.video.asset}/master.m3u8`, '#EXTM3U')
  const { manifestUrl } = await member.client.playback.startPlayback({ id: film.id, acceptsFulfillment: true })
  return async () => (await media.get(manifestUrl, asMember(member.token))).status
}

/** Why a film does not play for a member, as the player is told. */
const whyNot = async (member: TestMember, { id }: { id: ProductId }) => {
  const { code, problem } = await failureOf(member.client.playback.startPlayback({ id }))
  expect(code).toBe('NOT_ENTITLED')
  return (problem.data as { reason: string }).reason
}

const rent = async (tenant: Tenant, member: TestMember, film: Film, days: number, startWithinDays: number) => {
  const optionId = await addRental(tenant, film.id, days, startWithinDays)
  const draft = { buyNow: { productId: film.id, optionId }, ...terms(tenant) }
  const order = await keyed(api, tenant, member).commerce.placeOrder(draft)
  const { page, paymentId } = await beginToPay(api, tenant, member, order)
  await page.pay(cards.success)
  await member.client.commerce.confirmPayment({ id: paymentId })
}

test('a refund ends the stream at once: first while it is decided, then for good, and the player is told which', async () => {
  const tenant = await createTenant(api)
  const [member, film] = [await tenant.createMember(), await createFilm(tenant, { price: 2900 })]
  expect(await whyNot(member, film)).toBe('NONE')
  const order = await buy(api, tenant, member, film)
  const status = await play(member, film)
  expect(await status()).toBe(200)
  await ask(tenant, member, order)
  expect([await status(), await whyNot(member, film)]).toEqual([403, 'SUSPENDED'])
  await acceptCancel(await envOf(api, tenant), { code: order.code as OrderCode, by: 'admin:Jo' })
  expect([await status(), await whyNot(member, film)]).toEqual([403, 'REFUNDED'])
})

test('a rental’s last moment ends its stream; one that was never begun runs out as well', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const [film, unseen] = [await createFilm(tenant), await createFilm(tenant)]
  await rent(tenant, member, film, 3, 30)
  await rent(tenant, member, unseen, 3, 2)
  await play(member, film)
  api.clock.advance(3 * day - 1000)
  const status = await play(member, film)
  expect(await status()).toBe(200)
  api.clock.advance(1000)
  expect([await status(), await whyNot(member, film), await whyNot(member, unseen)]).toEqual([
    403,
    ...['EXPIRED', 'EXPIRED'],
  ])
})

test('the end of a plan ends what was part of it, and says nothing of what never was', async () => {
  const tenant = await createPlanTenant(api)
  const films = [await createFilm(tenant, { access: 'PLAN' }), await createFilm(tenant)] as const
  const { member: subscribed } = await subscriber(api, tenant, await createPlan(tenant))
  await subscribed.client.plans.cancelSubscription({})
  const { accessUntil } = await subscribed.client.playback.startPlayback({ id: films[0].id })
  await passDays(api, tenant, Math.floor((Date.parse(accessUntil!) - api.clock.now().getTime()) / day))
  // A session does not last as long.
  const { token } = await tenant.guest.accounts.login({ email: subscribed.email, password })
  const member = { ...subscribed, token, client: api.client(tenant.code, { token }) }
  const status = await play(member, films[0])
  expect(await status()).toBe(200)
  await passDays(api, tenant, 1)
  expect([await status(), await whyNot(member, films[0]), await whyNot(member, films[1])]).toEqual([
    403,
    ...['PLAN_ENDED', 'NONE'],
  ])
})
