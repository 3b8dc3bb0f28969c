import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayAfter, dayMilliseconds, startOfDay } from '#api/platform/clock.ts'
import { createTenant, password, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { watching } from '#tests/support/watching.ts'

const api = createTestApi()
const { rollUp, dayThere, freeFilm, watcher, report, play, analyticsOf } = watching(api)

/** Advances the clock to so many seconds before the store’s next midnight. */
const advanceToBeforeMidnight = (tenant: Tenant, seconds: number) => {
  const midnight = startOfDay(dayAfter(dayThere(tenant)), tenant.settings.base.timeZone)
  api.clock.advance(midnight.getTime() - seconds * 1_000 - api.clock.now().getTime())
}

test('a finish counts on the day of its play, even when the end is reached on another day', async () => {
  const tenant = await createTenant(api)
  const film = await freeFilm(tenant)
  const [late, early] = [watcher(tenant), watcher(tenant)]
  advanceToBeforeMidnight(tenant, 40)
  const first = dayThere(tenant)
  await play(late, film, 0, 30)
  api.clock.advance(60_000)
  const second = dayThere(tenant)
  expect(second).toBe(dayAfter(first))
  await play(late, film, 30, 100)
  await play(early, film, 0, 20)
  await rollUp(tenant)

  const totalOf = async (from: string, to: string) => (await analyticsOf(tenant, film.code, { from, to })).total
  expect(await totalOf(first, first)).toMatchObject({ plays: 1, finishes: 1, finishRate: 1, playedMinutes: 0.5 })
  expect(await totalOf(second, second)).toMatchObject({ plays: 1, finishes: 0, finishRate: 0, playedMinutes: 1.5 })
  expect(await totalOf(first, second)).toMatchObject({ plays: 2, finishes: 1, finishRate: 0.5, playedMinutes: 2 })

  // Starting over is another play, which counts on the day of the restart.
  await play(late, film, 0, 5)
  await play(late, film, 5, 100)
  await rollUp(tenant)
  expect(await totalOf(second, second)).toMatchObject({ plays: 2, finishes: 1, finishRate: 0.5 })
})

test('a play keeps its day when the store changes its time zone', async () => {
  const tenant = await createTenant(api)
  const film = await freeFilm(tenant)
  const who = watcher(tenant)
  advanceToBeforeMidnight(tenant, 20)
  const day = dayThere(tenant)
  await play(who, film, 0, 12)
  await api.owner.execute(
    `UPDATE customers SET settings = jsonb_set(settings, '{base,timeZone}', '"Pacific/Kiritimati"'), version = version + 1
      WHERE customer_id = '${tenant.id}'`,
  )
  await play(who, film, 12, 100)
  await rollUp(tenant)
  const analytics = await analyticsOf(tenant, film.code, { from: day, to: dayAfter(day) })
  expect(analytics.periods).toMatchObject([
    { from: day, plays: 1, finishes: 1 },
    { from: dayAfter(day), plays: 0, finishes: 0 },
  ])
})

test('a guest’s play keeps its day when the guest signs in after midnight', async () => {
  const tenant = await createTenant(api)
  const film = await freeFilm(tenant)
  const member = await tenant.createMember()
  const guest = watcher(tenant)
  await play(() => member.client, film, 0, 4)
  advanceToBeforeMidnight(tenant, 30)
  const day = dayThere(tenant)
  await play(guest, film, 0, 20)
  api.clock.advance(60_000)
  await guest().identity.login({ email: member.email, password })
  await play(() => member.client, film, 20, 100)
  await rollUp(tenant)
  const analytics = await analyticsOf(tenant, film.code, { from: day, to: dayThere(tenant) })
  expect(analytics.periods).toMatchObject([
    { from: day, plays: 1, finishes: 1 },
    { plays: 0, finishes: 0 },
  ])
})

test('the analytics of a range are the sum of its days, and finishes never exceed plays', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          viewer: fc.nat({ max: 4 }),
          played: fc.integer({ min: 0, max: 30 }),
          position: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constantFrom(2, 95)),
          waitMilliseconds: fc.constantFrom(15_000, 40_000_000, dayMilliseconds),
          signsIn: fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0),
        }),
        { minLength: 20, maxLength: 40 },
      ),
      async (reports) => {
        const tenant = await createTenant(api)
        const film = await freeFilm(tenant)
        const member = await tenant.createMember()
        const viewers = Array.from({ length: 4 }, () => watcher(tenant))
        const from = dayThere(tenant)
        for (const { viewer, played, position, waitMilliseconds, signsIn } of reports) {
          api.clock.advance(waitMilliseconds)
          const guest = viewers[viewer]
          await report(guest?.() ?? member.client, film, position, played)
          if (guest && signsIn) {
            await guest().identity.login({ email: member.email, password })
            viewers[viewer] = watcher(tenant)
          }
          await rollUp(tenant, 3)
        }
        while ((await rollUp(tenant)) > 0);
        const { client } = await tenant.createOperator()
        const to = dayThere(tenant)
        const { periods, total } = await client.analytics.product({ code: film.code, from, to })
        const summed = (days: typeof periods) => ({
          plays: days.reduce((sum, { plays }) => sum + plays, 0),
          finishes: days.reduce((sum, { finishes }) => sum + finishes, 0),
        })
        expect(total).toMatchObject(summed(periods))
        for (const day of periods) expect(day.finishes).toBeLessThanOrEqual(day.plays)
        const half = Math.floor(periods.length / 2)
        const later = await client.analytics.product({ code: film.code, from: periods[half]!.from, to })
        expect(later.total).toMatchObject(summed(periods.slice(half)))
        const retention = await client.analytics.retention({ code: film.code, from, to })
        for (const point of retention.parts.flatMap((part) => part.retention))
          expect(point.share).toBeLessThanOrEqual(1)
        expect(retention.parts.reduce((sum, { plays }) => sum + plays, 0)).toBe(total.plays)
      },
    ),
    { numRuns: 6 },
  )
})
