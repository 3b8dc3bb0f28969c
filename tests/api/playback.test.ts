import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rollUpEvents } from '#api/modules/analytics/analytics.queries.ts'
import { products } from '#api/modules/catalog/catalog.schema.ts'
import { fulfillments } from '#api/modules/entitlements/entitlements.schema.ts'
import { members } from '#api/modules/identity/identity.schema.ts'
import { dayMilliseconds as day } from '#api/platform/clock.ts'
import { beginToPay, buy, keyed, terms } from '#tests/support/buying.ts'
import { cards } from '#tests/support/card-page.ts'
import { addLesson, addRental, createFilm } from '#tests/support/media.ts'
import { createTenant, password, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const after = (seconds: number) => new Date(api.clock.now().getTime() + seconds * 1000).toISOString()

const playable = async (play: () => Promise<unknown>) =>
  play().then(
    () => true,
    () => false,
  )

test('playback is allowed by the table of access rules', async () => {
  const tenant = await createTenant(api)
  const [member, buyer, partner] = [
    await tenant.createMember(),
    await tenant.createMember(),
    await tenant.createMember(),
  ]
  await tenant.within((db) =>
    db
      .update(members)
      .set({ partnershipUntil: after(86_400) })
      .where(eq(members.id, partner.id)),
  )
  const expected = {
    FREE: [true, true, true, true],
    MEMBER: [false, true, true, true],
    PURCHASE: [false, false, true, false],
    PLAN: [false, false, false, true],
    PURCHASE_OR_PLAN: [false, false, true, true],
  } as const
  for (const [access, row] of Object.entries(expected)) {
    const film = await createFilm(tenant, { access: access as keyof typeof expected })
    if (access.startsWith('PURCHASE')) await buy(api, tenant, buyer, film)
    const clients = [tenant.guest, member.client, buyer.client, partner.client]
    const may = await Promise.all(clients.map((one) => playable(() => one.playback.startPlayback({ id: film.id }))))
    expect(may, access).toEqual(row)
  }
  const sold = await createFilm(tenant)
  const refused = await failureOf(member.client.playback.startPlayback({ id: sold.id }))
  expect(refused).toMatchObject({ status: 403, code: 'NOT_ENTITLED' })
})

test('products included in the member’s plan are marked as such before a purchase', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const film = await createFilm(tenant, { access: 'PURCHASE_OR_PLAN' })
  await member.client.orders.addToCart({ productId: film.id, optionId: film.optionId! })
  await tenant.within((db) =>
    db
      .update(members)
      .set({ partnershipUntil: after(86_400) })
      .where(eq(members.id, member.id)),
  )
  expect((await member.client.orders.cart()).items[0]?.blocked).toBe('INCLUDED_IN_PLAN')
  const refused = await failureOf(
    keyed(api, tenant, member).orders.placeOrder({
      buyNow: { productId: film.id, optionId: film.optionId! },
      ...terms(tenant),
    }),
  )
  expect(refused.code).toBe('INCLUDED_IN_PLAN')
})

const rent = async (tenant: Tenant, startWithinDays = 30) => {
  const member = await tenant.createMember()
  const film = await createFilm(tenant)
  const optionId = await addRental(tenant, film.id, 3, startWithinDays)
  const order = await keyed(api, tenant, member).orders.placeOrder({
    buyNow: { productId: film.id, optionId },
    ...terms(tenant),
  })
  const { page, paymentId } = await beginToPay(api, tenant, member, order)
  await page.pay(cards.success)
  await member.client.billing.confirmPayment({ id: paymentId })
  return { member, film, order, viewer: async () => (await member.client.catalog.product({ id: film.id })).viewer }
}

test('a rental period begins with the first play and ends in time', async () => {
  const tenant = await createTenant(api)
  const { member, film, order, viewer } = await rent(tenant)
  api.clock.advance(10 * day)
  expect(await viewer()).toMatchObject({ entitled: true, source: 'RENT', expiresAt: null, startBy: expect.any(String) })

  const played = await member.client.playback.startPlayback({ id: film.id, acceptsFulfillment: true })
  const days = (Date.parse(played.accessUntil!) - api.clock.now().getTime()) / day
  expect(days).toBeCloseTo(3, 2)
  expect(await viewer()).toMatchObject({ startBy: null, expiresAt: played.accessUntil })
  expect(await member.client.orders.order({ code: order.code })).toMatchObject({ items: [{ opened: true }] })
  const evidence = await tenant.within((db) => db.select().from(fulfillments))
  expect(evidence).toMatchObject([{ kind: 'PLAY', accepted: true, memberId: member.id }])

  api.clock.advance(2 * day)
  expect((await member.client.playback.startPlayback({ id: film.id })).accessUntil).toBe(played.accessUntil)
  api.clock.advance(1.1 * day)
  expect(await viewer()).toMatchObject({ entitled: false })
  expect((await failureOf(member.client.playback.startPlayback({ id: film.id }))).code).toBe('NOT_ENTITLED')
})

test('a rental period does not begin or count down while a plan covers the film or the film is free', async () => {
  const tenant = await createTenant(api)
  const { member, film, viewer } = await rent(tenant)
  const partnership = (until: string | null) =>
    tenant.within((db) => db.update(members).set({ partnershipUntil: until }).where(eq(members.id, member.id)))
  const access = (word: 'FREE' | 'MEMBER' | 'PURCHASE_OR_PLAN') =>
    tenant.within((db) => db.update(products).set({ access: word }).where(eq(products.id, film.id)))
  const play = () => member.client.playback.startPlayback({ id: film.id, acceptsFulfillment: true })

  await access('PURCHASE_OR_PLAN')
  await partnership(after(86_400))
  await play()
  expect(await viewer()).toMatchObject({ entitled: true, source: 'PLAN', startBy: null })
  for (const word of ['FREE', 'MEMBER'] as const) {
    await access(word)
    await play()
    expect(await viewer()).toMatchObject({ entitled: true, source: word, startBy: null })
  }
  await access('PURCHASE_OR_PLAN')
  await partnership(null)
  expect(await viewer()).toMatchObject({ entitled: true, source: 'RENT', startBy: expect.any(String) })
  expect(await tenant.within((db) => db.select().from(fulfillments))).toEqual([])
})

test('a rental started by concurrent plays begins once, with one end for all of them', async () => {
  const tenant = await createTenant(api)
  const { member, film } = await rent(tenant)
  const played = await Promise.all(
    Array.from({ length: 8 }, () => member.client.playback.startPlayback({ id: film.id, acceptsFulfillment: true })),
  )
  expect(await tenant.within((db) => db.select().from(fulfillments))).toHaveLength(1)
  expect(new Set(played.map(({ accessUntil }) => accessUntil)).size).toBe(1)
})

test('a rental that was not started in time expires', async () => {
  const tenant = await createTenant(api)
  const { viewer } = await rent(tenant, 7)
  api.clock.advance(6.9 * day)
  expect(await viewer()).toMatchObject({ entitled: true })
  api.clock.advance(0.2 * day)
  expect(await viewer()).toMatchObject({ entitled: false })
})

test('a course plays its free lessons for everyone and continues with the next lesson', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const course = await tenant.createProduct()
  const lessons = [
    await addLesson(tenant, course.id, 1, true),
    await addLesson(tenant, course.id, 2, false),
    await addLesson(tenant, course.id, 3, false),
  ]
  const ids = lessons.map((lesson) => lesson.id)
  const open = await tenant.guest.playback.startPlayback({ id: course.id, lessonId: ids[0]! })
  expect(open).toMatchObject({ lessonId: ids[0], next: null })
  const closed = await failureOf(tenant.guest.playback.startPlayback({ id: course.id, lessonId: ids[1]! }))
  expect(closed.code).toBe('NOT_ENTITLED')

  await buy(api, tenant, member, course)
  const { playback } = member.client
  expect(await playback.startPlayback({ id: course.id })).toMatchObject({
    lessonId: ids[0],
    next: { lessonId: ids[1] },
  })
  await playback.progress({ id: course.id, lessonId: ids[0]!, positionSeconds: 95, playedSeconds: 95, at: after(0) })
  expect(await playback.startPlayback({ id: course.id })).toMatchObject({
    lessonId: ids[1],
    next: { lessonId: ids[2] },
  })
})

test('a playback position is saved and resumed, the latest device wins, and 90 % counts as finished', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const film = await createFilm(tenant, { access: 'MEMBER', price: null })
  const { playback } = member.client
  const report = (positionSeconds: number, at: string) =>
    playback.progress({ id: film.id, positionSeconds, playedSeconds: 1, at })
  const resume = async () => (await playback.startPlayback({ id: film.id })).resumeSeconds

  await report(40, after(10))
  expect(await report(70, after(5))).toMatchObject({ positionSeconds: 40, finished: false })
  expect(await resume()).toBe(40)
  const watched = await member.client.catalog.recentlyWatched({ exposureLimit: 24 })
  expect(watched.items.map((item) => item.id)).toEqual([film.id])
  const { now } = await member.client.engagement.purchased({})
  for (const time of [watched.now, now])
    expect(Math.abs(Date.parse(time) - api.clock.now().getTime())).toBeLessThan(60_000)
  expect(watched.items[0]?.viewer?.progress).toBeCloseTo(0.4)
  expect(await report(90, after(20))).toMatchObject({ finished: true })
  expect(await resume()).toBe(0)
})

test('seconds that are too small for the database count as none', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const film = await createFilm(tenant, { access: 'MEMBER', price: null })
  const tiny = { positionSeconds: 5e-324, playedSeconds: 1e-50, at: after(1) }
  expect(await member.client.playback.progress({ id: film.id, ...tiny })).toMatchObject({ positionSeconds: 0 })
})

test('a player with an outdated position receives the other device’s position, and overwrites it only once it knows it', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const film = await createFilm(tenant, { access: 'MEMBER', price: null })
  const { playback } = member.client
  const [first, second, third, fourth] = [after(10), after(20), after(30), after(40)]
  const start = () => playback.startPlayback({ id: film.id })
  const report = (positionSeconds: number, at: string, knownAt: string | null) =>
    playback.progress({ id: film.id, positionSeconds, playedSeconds: 4, at, knownAt })

  expect((await start()).positionAt).toBeNull()
  expect(await report(20, first, null)).toMatchObject({ positionSeconds: 20, elsewhere: null })
  expect((await start()).positionAt).toBe(first)
  // The tablet plays on; the telephone, still open at 20, has the old position.
  expect(await report(60, second, first)).toMatchObject({ positionSeconds: 60, elsewhere: null })
  const reported = await report(24, third, first)
  expect(reported).toMatchObject({ positionSeconds: 60, elsewhere: { positionSeconds: 60, at: second } })
  expect((await start()).resumeSeconds).toBe(60)
  // Playback on the telephone counts nevertheless.
  expect(reported.counted).toBe(true)
  expect(await report(28, fourth, reported.elsewhere!.at)).toMatchObject({ positionSeconds: 28, elsewhere: null })
})

test('a film removed from the continue-watching list returns after undo or further playback', async () => {
  const tenant = await createTenant(api)
  const [member, other] = [await tenant.createMember(), await tenant.createMember()]
  const film = await createFilm(tenant, { access: 'MEMBER', price: null })
  const report = (who: typeof member, positionSeconds: number, playedSeconds: number) =>
    who.client.playback.progress({ id: film.id, positionSeconds, playedSeconds, at: after(positionSeconds) })
  const listed = async (who: typeof member) => (await who.client.catalog.recentlyWatched({})).items.map(({ id }) => id)
  const dismiss = (dismissed: boolean) => member.client.playback.dismissWatched({ id: film.id, dismissed })

  expect((await failureOf(dismiss(true))).status).toBe(404)
  expect((await failureOf(tenant.guest.playback.dismissWatched({ id: film.id, dismissed: true }))).status).toBe(404)
  await report(member, 30, 30)
  await report(other, 30, 30)
  await dismiss(true)
  expect([await listed(member), await listed(other)]).toEqual([[], [film.id]])
  expect((await member.client.playback.startPlayback({ id: film.id })).resumeSeconds).toBe(30)
  // Closing a paused player does not count as watching.
  await report(member, 31, 0)
  expect(await listed(member)).toEqual([])
  await dismiss(false)
  expect(await listed(member)).toEqual([film.id])
  await dismiss(true)
  await report(member, 45, 10)
  expect(await listed(member)).toEqual([film.id])
})

test('a play counts once, after ten seconds', async () => {
  const tenant = await createTenant(api)
  const film = await createFilm(tenant, { access: 'MEMBER', price: null })
  const member = await tenant.createMember()
  const report = (seconds: number, playedSeconds: number) =>
    member.client.playback.progress({ id: film.id, positionSeconds: seconds, playedSeconds, at: after(seconds) })
  expect(await report(6, 6)).toMatchObject({ counted: false })
  expect(await report(12, 6)).toMatchObject({ counted: true })
  expect(await report(30, 18)).toMatchObject({ counted: true })
  await tenant.within((db) => rollUpEvents(db, tenant.id, 100))
  expect((await member.client.catalog.product({ id: film.id })).countOfPlays).toBe(1)
})

test('a guest’s position moves to the member at login', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const film = await createFilm(tenant, { access: 'FREE', price: null })
  let guestToken: string | undefined
  const onAnswer = (response: Response) => {
    guestToken ??= response.headers.get('x-guest-token') ?? undefined
  }
  const first = api.client(tenant.code, { onAnswer })
  await first.playback.progress({ id: film.id, positionSeconds: 33, playedSeconds: 33, at: after(0) })
  expect(guestToken).toBeTruthy()
  const guest = api.client(tenant.code, { guestToken })
  expect((await guest.playback.startPlayback({ id: film.id })).resumeSeconds).toBe(33)
  await guest.identity.login({ email: member.email, password })
  expect((await member.client.playback.startPlayback({ id: film.id })).resumeSeconds).toBe(33)
  expect((await guest.playback.startPlayback({ id: film.id })).resumeSeconds).toBe(0)
})

test('progress is refused without an entitlement, and a hidden product is not found', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const [sold, hidden] = [await createFilm(tenant), await createFilm(tenant, { status: 'HIDDEN', access: 'FREE' })]
  const report = { positionSeconds: 1, playedSeconds: 1, at: after(0) }
  expect((await failureOf(member.client.playback.progress({ id: sold.id, ...report }))).code).toBe('NOT_ENTITLED')
  expect((await failureOf(member.client.playback.startPlayback({ id: hidden.id }))).status).toBe(404)
})
