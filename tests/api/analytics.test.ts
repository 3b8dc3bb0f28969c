import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rollUpEvents } from '#api/modules/analytics/analytics.queries.ts'
import { dayMilliseconds, offsetAt } from '#api/platform/clock.ts'
import { commandOf } from '#tests/support/command.ts'
import { addLesson, createFilm } from '#tests/support/media.ts'
import { createTenant, password } from '#tests/support/tenant.ts'
import { type Client, createTestApi, failureOf } from '#tests/support/test-api.ts'
import { watching } from '#tests/support/watching.ts'

const api = createTestApi()

const { rollUp, dayThere, freeFilm, watcher, report, analyticsOf } = watching(api)

describe('Analytics', () => {
  test('analytics sum views, plays, minutes and finishes by lesson and by day of the store', async () => {
    const tenant = await createTenant(api)
    const course = await tenant.createProduct({ access: 'FREE', price: null, title: 'Bread' })
    const [first, second] = [await addLesson(tenant, course.id, 1, true), await addLesson(tenant, course.id, 2, true)]
    const [ann, ben] = [watcher(tenant), watcher(tenant)]
    const play = (who: () => Client, lessonId: typeof first.id, positionSeconds: number, playedSeconds: number) =>
      report(who(), { id: course.id, lessonId }, positionSeconds, playedSeconds)
    const day = dayThere(tenant)
    await ann().catalog.product({ id: course.code })
    await play(ann, first.id, 30, 30)
    await play(ann, second.id, 4, 4)
    await play(ben, first.id, 12, 12)
    await rollUp(tenant)
    api.clock.advance(dayMilliseconds)
    await play(ann, first.id, 95, 60)
    await rollUp(tenant)

    const { client } = await tenant.createOperator()
    const analytics = await client.analytics.product({ code: course.code })
    expect(analytics.total).toEqual({ views: 1, plays: 2, finishes: 1, playedMinutes: 1.8, finishRate: 0.5 })
    expect(analytics.parts).toEqual([
      { lesson: null, views: 1, plays: 0, finishes: 0, playedMinutes: 0, finishRate: null },
      {
        lesson: { id: first.id, title: 'Lesson 1' },
        views: 0,
        plays: 2,
        finishes: 1,
        playedMinutes: 1.7,
        finishRate: 0.5,
      },
      {
        lesson: { id: second.id, title: 'Lesson 2' },
        views: 0,
        plays: 0,
        finishes: 0,
        playedMinutes: 0.1,
        finishRate: null,
      },
    ])
    expect(analytics.periods).toHaveLength(30)
    expect(analytics.periods.filter(({ playedMinutes }) => playedMinutes > 0)).toMatchObject([
      { from: day, views: 1, plays: 2, finishes: 1, playedMinutes: 0.8 },
      { from: dayThere(tenant), views: 0, plays: 0, finishes: 0, playedMinutes: 1 },
    ])
    const months = await client.analytics.store({ by: 'month', from: '2026-01-01', to: dayThere(tenant) })
    expect(months.periods[0]?.from).toBe('2026-01-01')
    expect(months.total).toEqual(analytics.total)
    expect(months.periods.reduce((sum, { plays }) => sum + plays, 0)).toBe(2)

    const film = await freeFilm(tenant)
    await report(ben(), film, 50, 50)
    await rollUp(tenant)
    const top = await client.analytics.products({ sort: 'playedMinutes' })
    expect(top.items.map(({ product, plays }) => [product.code, plays])).toEqual([
      [course.code, 2],
      [film.code, 1],
    ])
    expect(top.total).toBe(2)
    expect((await client.analytics.products({ sort: 'playedMinutes', size: 1, page: 2 })).items[0]?.product.code).toBe(
      film.code,
    )
  })

  test('the table of a product is compared with the days before', async () => {
    const tenant = await createTenant(api)
    const film = await freeFilm(tenant)
    const day = dayThere(tenant)
    await report(watcher(tenant)(), film, 50, 50)
    await rollUp(tenant)
    api.clock.advance(dayMilliseconds)
    const { client } = await tenant.createOperator()
    const query = { product: film.code, per: 'day', days: 1 } as const
    const linesOf = async (more: object) =>
      (await (await client.analytics.table({ ...query, ...more })).text()).trim().split('\r\n')
    const [heading, ...lines] = await linesOf({ compare: 'before' })
    expect(heading).toMatch(/^\ufeff?from,views,plays,played minutes,finishes,finish rate,compared from,views before,/)
    expect(lines).toEqual([`${dayThere(tenant)},0,0,0,0,,${day},0,1,0.8,0,0`])
    expect((await linesOf({}))[1]).toBe(`${dayThere(tenant)},0,0,0,0,`)
    const refused = await failureOf(linesOf({ compare: 'range' }))
    expect(Object.keys(refused.problem.errors)).toEqual(['compareFrom'])
  })

  test('analytics begin a new day at midnight in the store’s time zone', async () => {
    const tenant = await createTenant(api)
    const film = await freeFilm(tenant)
    const at = api.clock.now()
    const offset = offsetAt(at, 'Asia/Seoul')
    expect(tenant.settings.base.timeZone).toBe('Asia/Seoul')
    const midnight = Math.ceil((at.getTime() + offset) / dayMilliseconds) * dayMilliseconds - offset
    api.clock.advance(midnight - at.getTime() - 30_000)
    await report(watcher(tenant)(), film, 20, 20)
    const before = dayThere(tenant)
    api.clock.advance(40_000)
    await report(watcher(tenant)(), film, 20, 20)
    await rollUp(tenant)
    const analytics = await analyticsOf(tenant, film.code)
    expect(analytics.periods.slice(-2)).toMatchObject([
      { from: before, plays: 1 },
      { from: dayThere(tenant), plays: 1 },
    ])
    expect(before).not.toBe(dayThere(tenant))
  })

  test('concurrent rollups count each event once, even when one of them fails', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            viewer: fc.nat({ max: 3 }),
            film: fc.nat({ max: 2 }),
            played: fc.integer({ min: 0, max: 120 }).map((tenths) => tenths / 10),
            position: fc.integer({ min: 0, max: 100 }),
            waitMilliseconds: fc.constantFrom(15_000, 15_000, 40_000_000),
          }),
          { minLength: 10, maxLength: 40 },
        ),
        async (reports) => {
          const tenant = await createTenant(api)
          const films = [await freeFilm(tenant), await freeFilm(tenant), await freeFilm(tenant)]
          const viewers = [watcher(tenant), watcher(tenant), watcher(tenant), watcher(tenant)]
          const expected = films.map(() => ({ seconds: 0, plays: 0 }))
          const wasCounted = new Map<string, { counted: boolean; finished: boolean }>()
          const rollups: Promise<unknown>[] = []
          for (const { viewer, film, played, position, waitMilliseconds } of reports) {
            api.clock.advance(waitMilliseconds)
            const key = `${viewer}:${film}`
            const before = wasCounted.get(key) ?? { counted: false, finished: false }
            const answer = await report(viewers[viewer]!(), films[film]!, position, played)
            const isReplay = before.finished && position < 10
            if (answer.counted && (!before.counted || isReplay)) expected[film]!.plays++
            expected[film]!.seconds += played
            wasCounted.set(key, answer)
            rollups.push(rollUp(tenant, 3))
            if (played > 10)
              rollups.push(
                tenant
                  .within(async (db) => {
                    await rollUpEvents(db, tenant.id, 5)
                    throw new Error('The power went out.')
                  })
                  .catch(() => {}),
              )
          }
          await Promise.all(rollups)
          await Promise.all(
            Array.from({ length: 4 }, async () => {
              while ((await rollUp(tenant, 7)) > 0);
            }),
          )
          const days = await tenant.within((db) =>
            db.$client.query<{ inconsistent: boolean }>(
              `SELECT finishes > plays OR plays_with_ranges <> plays OR plays_with_ranges < ANY (watched_ranges) AS inconsistent
                 FROM product_analytics WHERE customer_id = $1`,
              [tenant.id],
            ),
          )
          expect(days.rows.filter(({ inconsistent }) => inconsistent)).toEqual([])
          const { rows } = await tenant.within((db) =>
            db.$client.query<{ product_id: string; plays: number; finishes: number; seconds: number }>(
              `SELECT product_id, sum(plays)::int AS plays, sum(finishes)::int AS finishes, sum(played_seconds)::float8 AS seconds
                 FROM product_analytics WHERE customer_id = $1 GROUP BY product_id`,
              [tenant.id],
            ),
          )
          for (const [index, film] of films.entries()) {
            const row = rows.find(({ product_id }) => product_id === film.id) ?? { plays: 0, finishes: 0, seconds: 0 }
            expect(row.plays).toBe(expected[index]!.plays)
            expect(row.seconds).toBeCloseTo(expected[index]!.seconds, 3)
            expect(row.finishes).toBeLessThanOrEqual(row.plays)
            expect((await tenant.guest.catalog.product({ id: film.id, view: false })).countOfPlays).toBe(row.plays)
          }
        },
      ),
      { numRuns: 6 },
    )
  })

  test('analytics are for operators only, and an invalid range is refused with 422', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    expect((await failureOf(member.client.analytics.store({}))).status).toBe(403)
    const { client } = await tenant.createOperator()
    const backwards = await failureOf(client.analytics.store({ from: '2026-03-02', to: '2026-03-01' }))
    expect(backwards).toMatchObject({
      status: 422,
      problem: { errors: { to: [expect.stringContaining('2026-03-02')] } },
    })
    for (const range of [
      { from: '0000-01-01', to: '0000-01-02' },
      { from: '2001-01-01', to: '2026-01-01' },
    ])
      expect((await failureOf(client.analytics.products(range))).status).toBe(422)
    // Both ends count.
    expect(await failureOf(client.analytics.products({ from: '2020-01-01', to: '2025-01-05' }))).toMatchObject({
      problem: { errors: { from: ['Choose a range of at most 1830 days. This one has 1832.'] } },
    })
    const longest = { from: '2020-01-01', to: '2025-01-03' }
    expect(await client.analytics.products(longest)).toMatchObject({ ...longest, total: 0, items: [] })
    expect((await failureOf(client.analytics.product({ code: 'no-such' as never }))).status).toBe(404)
  })

  test('the analytics command prints columns, and CSV without spreadsheet formulas', { timeout: 60_000 }, async () => {
    const tenant = await createTenant(api)
    const film = await createFilm(tenant, { access: 'FREE', price: null, title: '=HYPERLINK("http://x"), "quoted"' })
    await report(watcher(tenant)(), film, 30, 30)
    await rollUp(tenant)
    const day = dayThere(tenant)
    const run = async (...args: string[]) => {
      const { out, err } = await commandOf(api)(['analytics', '-c', tenant.code, '--from', day, '--to', day, ...args])
      return out + err
    }
    const [csv, byDay] = await Promise.all([run('--csv'), run('--product', film.code, '--per', 'day')])
    expect(csv).toBe(
      `\ufeffproduct,title,views,plays,played minutes,finishes,finish rate\r\n${film.code},"'=HYPERLINK(""http://x""), ""quoted""",0,1,0.5,0,0\r\n`,
    )
    expect(byDay).toMatch(new RegExp(`${day} +0 +1 +0.5 +0 +0`))
  })
})

describe('Progress reports', () => {
  test('progress reports count for no more playing time than has passed', async () => {
    const tenant = await createTenant(api)
    const film = await freeFilm(tenant)
    const who = watcher(tenant)
    const minutes = async () => {
      await rollUp(tenant)
      return (await analyticsOf(tenant, film.code)).total.playedMinutes
    }
    const started = api.clock.now().getTime()
    // The first report may tell of a minute. Playing time is rounded to a tenth.
    const atMost = () => 1.1 + (api.clock.now().getTime() - started) / 60_000
    for (let time = 0; time < 20; time++) await report(who(), film, time, 3600)
    const first = await minutes()
    expect(first).toBeGreaterThanOrEqual(1)
    expect(first).toBeLessThanOrEqual(atMost())
    api.clock.advance(120_000)
    for (let time = 0; time < 20; time++) await report(who(), film, time, 3600)
    expect(await minutes()).toBeLessThanOrEqual(atMost())
    // The reports of an honest player count in full.
    const honest = watcher(tenant)
    const before = await minutes()
    for (let time = 0; time < 30; time++) {
      api.clock.advance(10_000)
      await report(honest(), film, 1 + time, 10)
    }
    expect((await minutes()) - before).toBeCloseTo(5, 1)
  })

  test('a progress report is limited to the video’s length, and its end counts only after enough playing time', async () => {
    const tenant = await createTenant(api)
    const film = await freeFilm(tenant)
    const who = watcher(tenant)
    expect(await report(who(), film, 999_999, 0)).toMatchObject({
      positionSeconds: 100,
      finished: true,
      counted: false,
    })
    await rollUp(tenant)
    expect((await analyticsOf(tenant, film.code)).total).toMatchObject({ plays: 0, finishes: 0 })
    api.clock.advance(20_000)
    await report(who(), film, 100, 15)
    await rollUp(tenant)
    expect((await analyticsOf(tenant, film.code)).total).toMatchObject({ plays: 1, finishes: 1 })
  })

  test('progress reports over the rate limit are refused with 429 for a minute', async () => {
    const tenant = await createTenant(api)
    const film = await freeFilm(tenant)
    const who = watcher(tenant)
    await report(who(), film, 1, 1)
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, time) =>
        report(who(), film, time, 1).then(
          () => 200,
          (error) => error.status,
        ),
      ),
    )
    expect(answers.filter((status) => status === 200).length).toBeLessThanOrEqual(120)
    expect(answers).toContain(429)
    expect((await report(watcher(tenant)(), film, 1, 1)).positionSeconds).toBe(1)
    api.clock.advance(61_000)
    expect((await report(who(), film, 2, 1)).positionSeconds).toBe(2)
  })

  test('signing in merges a guest’s progress: the later position, the sum of playing time, and no play twice', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    const [older, newer, half] = [await freeFilm(tenant), await freeFilm(tenant), await freeFilm(tenant)]
    const guest = watcher(tenant)
    await report(member.client, newer, 10, 10)
    await report(member.client, half, 6, 6)
    await report(guest(), older, 20, 20)
    api.clock.advance(10_000)
    await report(member.client, older, 70, 4)
    await report(guest(), newer, 55, 6)
    await report(guest(), half, 12, 6)
    await guest().identity.login({ email: member.email, password })

    const resume = async (id: typeof older.id) => (await member.client.playback.startPlayback({ id })).resumeSeconds
    expect([await resume(older.id), await resume(newer.id), await resume(half.id)]).toEqual([70, 55, 12])
    const { rows } = await tenant.within((db) =>
      db.$client.query<{ product_id: string; played: number }>(
        'SELECT product_id, played_seconds AS played FROM positions WHERE customer_id = $1',
        [tenant.id],
      ),
    )
    expect(new Map(rows.map(({ product_id, played }) => [product_id, played]))).toEqual(
      new Map([
        [older.id, 24],
        [newer.id, 16],
        [half.id, 12],
      ]),
    )
    api.clock.advance(10_000)
    for (const film of [older, newer, half]) await report(member.client, film, 75, 5)
    await rollUp(tenant)
    for (const film of [older, newer, half]) expect((await analyticsOf(tenant, film.code)).total.plays).toBe(1)
  })

  test('a guest’s play of a film the member has finished adds a play and a finish only after enough playing time', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    const [glanced, watched] = [await freeFilm(tenant), await freeFilm(tenant)]
    const guest = watcher(tenant)
    await report(member.client, glanced, 95, 30)
    await report(member.client, watched, 95, 30)
    api.clock.advance(60_000)
    await report(guest(), glanced, 50, 4)
    await report(guest(), watched, 50, 12)
    await guest().identity.login({ email: member.email, password })
    api.clock.advance(60_000)
    for (const film of [glanced, watched]) await report(member.client, film, 96, 2)
    await rollUp(tenant)
    expect((await analyticsOf(tenant, glanced.code)).total).toMatchObject({ plays: 1, finishes: 1 })
    expect((await analyticsOf(tenant, watched.code)).total).toMatchObject({ plays: 2, finishes: 2 })
  })
})
