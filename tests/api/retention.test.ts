import { expect, test } from 'vitest'
import { acceptCancel } from '#api/modules/billing/refund-decisions.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import type { ProductRetention } from '#contract/analytics.ts'
import { customerBase } from '#contract/http.ts'
import type { OrderCode, ProductCode } from '#contract/ids.ts'
import { buy } from '#tests/support/buying.ts'
import { commandOf } from '#tests/support/command.ts'
import { addLesson, createFilm } from '#tests/support/media.ts'
import { ctxOf } from '#tests/support/reconciling.ts'
import { refunding } from '#tests/support/refunding.ts'
import { createTenant, password, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'
import { watching } from '#tests/support/watching.ts'

const api = createTestApi()
const { rollUp, dayThere, freeFilm, watcher, report, play } = watching(api)
const { requestRefund } = refunding(api)

const retentionOf = async (tenant: Tenant, { code }: { code: ProductCode }) => {
  await rollUp(tenant)
  const { client } = await tenant.createOperator(crypto.randomUUID())
  return client.analytics.retention({ code })
}
/** The plays that watched each part. A part of a film of 100 seconds has five seconds. */
const countsOf = ({ parts }: ProductRetention) =>
  parts.map(({ retention }) => retention.map(({ plays }) => plays).join(''))

test('retention counts for each part of a film the plays that watched some of it', async () => {
  const tenant = await createTenant(api)
  const film = await freeFilm(tenant)
  const [whole, half, jumper, fast, glancer] = Array.from({ length: 5 }, () => watcher(tenant))
  await play(whole!, film, 0, 100)
  await play(half!, film, 0, 50)
  await play(jumper!, film, 0, 10)
  await play(jumper!, film, 80, 90)
  await play(fast!, film, 0, 60, 2)
  // Too short to count as a play.
  await play(glancer!, film, 40, 45)
  const retention = await retentionOf(tenant, film)
  expect(countsOf(retention)).toEqual(['44333333332211112211'])
  expect(retention.parts).toMatchObject([{ lesson: null, durationSeconds: 100, plays: 4 }])
  expect(retention.parts[0]?.retention.slice(1, 3)).toEqual([
    { from: 0.05, plays: 4, share: 1 },
    { from: 0.1, plays: 3, share: 0.75 },
  ])
})

test('retention counts a part watched twice once per play', async () => {
  const tenant = await createTenant(api)
  const film = await freeFilm(tenant)
  const who = watcher(tenant)
  await play(who, film, 0, 40)
  await play(who, film, 10, 40)
  expect(countsOf(await retentionOf(tenant, film))).toEqual(['11111111000000000000'])
  await play(who, film, 80, 100)
  await play(who, film, 0, 5)
  await play(who, film, 5, 20)
  const retention = await retentionOf(tenant, film)
  expect(countsOf(retention)).toEqual(['22221111000000001111'])
  expect(retention.parts[0]?.plays).toBe(2)
  // A position that is only sought is not watched.
  await report(who(), film, 60, 0)
  expect(countsOf(await retentionOf(tenant, film))).toEqual(['22221111000000001111'])
})

test('retention belongs to the day of the play, and is kept for each lesson', async () => {
  const tenant = await createTenant(api)
  const course = await tenant.createProduct({ access: 'FREE', price: null, title: 'Bread' })
  const [first, second] = [await addLesson(tenant, course.id, 1, true), await addLesson(tenant, course.id, 2, true)]
  const who = watcher(tenant)
  const day = dayThere(tenant)
  await play(who, { id: course.id, lessonId: first.id }, 0, 20)
  api.clock.advance(dayMilliseconds)
  await play(who, { id: course.id, lessonId: first.id }, 20, 30)
  await play(who, { id: course.id, lessonId: second.id }, 50, 65)
  await rollUp(tenant)
  const { client } = await tenant.createOperator()
  const on = (from: string) => client.analytics.retention({ code: course.code, from, to: from })
  expect(countsOf(await on(day))).toEqual(['11111100000000000000'])
  const later = await on(dayThere(tenant))
  expect(countsOf(later)).toEqual(['00000000001110000000'])
  expect(later.parts).toMatchObject([{ lesson: { id: second.id, title: 'Lesson 2' }, plays: 1 }])
  const both = await client.analytics.retention({ code: course.code, from: day, to: dayThere(tenant) })
  expect(both.parts.map(({ lesson }) => lesson?.title)).toEqual(['Lesson 1', 'Lesson 2'])
})

test('retention counts a guest’s parts for the member after login: each part once, and none of uncounted plays', async () => {
  const tenant = await createTenant(api)
  const [film, other] = [await freeFilm(tenant), await freeFilm(tenant)]
  const member = await tenant.createMember()
  const guest = watcher(tenant)
  await play(() => member.client, other, 90, 94)
  await play(guest, film, 0, 30)
  await play(guest, other, 0, 20)
  await guest().identity.login({ email: member.email, password })
  for (const one of [film, other]) await play(() => member.client, one, 10, 40)
  expect(countsOf(await retentionOf(tenant, film))).toEqual(['11111111000000000000'])
  expect(countsOf(await retentionOf(tenant, other))).toEqual(['11111111000000000000'])
})

test('retention counts concurrent reports and roll-ups correctly', async () => {
  const tenant = await createTenant(api)
  const film = await freeFilm(tenant)
  const member = await tenant.createMember()
  const viewers = Array.from({ length: 6 }, () => watcher(tenant))
  for (const who of viewers) await report(who(), film, 1, 1)
  api.clock.advance(60_000)
  // Two devices of each viewer report the same at once, during the roll-up.
  await Promise.all([
    ...[...viewers, () => member.client].flatMap((who) => [0, 1].map(() => report(who(), film, 21, 20))),
    ...Array.from({ length: 4 }, () => rollUp(tenant, 2)),
  ])
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while ((await rollUp(tenant, 3)) > 0);
    }),
  )
  const retention = await retentionOf(tenant, film)
  expect(retention.parts[0]?.plays).toBe(7)
  expect(countsOf(retention)).toEqual(['77777000000000000000'])
})

test('a refund or a withdrawal removes nothing from the analytics, and adds nothing more', async () => {
  const tenant = await createTenant(api)
  const film = await createFilm(tenant, { price: 2900 })
  const [refunded, leaving] = [await tenant.createMember(), await tenant.createMember()]
  const order = await buy(api, tenant, refunded, film)
  await buy(api, tenant, leaving, film)
  for (const { client } of [refunded, leaving]) {
    await client.playback.startPlayback({ id: film.id, acceptsFulfillment: true })
    await play(() => client, film, 0, 20)
  }
  await requestRefund(tenant, refunded, order)
  await acceptCancel(await ctxOf(api, tenant), { code: order.code as OrderCode, by: 'admin:Jo' })
  expect(await failureOf(report(refunded.client, film, 100, 10))).toMatchObject({ code: 'NOT_ENTITLED' })
  await leaving.client.identity.withdraw({ password })
  expect(await failureOf(report(leaving.client, film, 100, 10))).toMatchObject({ status: 401 })
  const retention = await retentionOf(tenant, film)
  expect(retention.parts[0]?.plays).toBe(2)
  expect(countsOf(retention)).toEqual(['22220000000000000000'])
  const { client } = await tenant.createOperator()
  expect((await client.analytics.store({})).total).toMatchObject({ plays: 2, finishes: 0, finishRate: 0 })
})

test('retention is printed as a chart in a terminal, and as the same CSV table by the command and the API', {
  timeout: 120_000,
}, async () => {
  const tenant = await createTenant(api)
  const film = await createFilm(tenant, { access: 'FREE', price: null, title: '=1+1' })
  const [half, quarter] = [watcher(tenant), watcher(tenant)]
  await play(half, film, 0, 50)
  await play(quarter, film, 0, 25)
  await rollUp(tenant)
  const day = dayThere(tenant)
  const { token, client } = await tenant.createOperator()
  const query = { product: film.code, from: day, to: day, per: 'retention' } as const
  const run = commandOf(api)
  const line = [
    'analytics',
    '-c',
    tenant.code,
    '--product',
    film.code,
    '--from',
    day,
    '--to',
    day,
    '--per',
    'retention',
  ]
  const [chart, csv] = [await run(line), await run([...line, '--csv'])]
  const lines = chart.out.split('\n')
  expect(lines[0]).toBe(`=1+1, ${day} to ${day}, plays: 2`)
  expect(lines[1]).toBe(`0:00  ${'█'.repeat(40)} 100 %`)
  expect(lines[6]).toBe(`0:25  ${'█'.repeat(20)}${'·'.repeat(20)}  50 %`)
  expect(lines[20]).toBe(`1:35  ${'·'.repeat(40)}   0 %`)
  const rows = csv.out.split('\r\n')
  expect(rows.slice(0, 2)).toEqual(['\ufefflesson,title,from %,from second,plays,watched by,share', ",'=1+1,0,0,2,2,1"])
  expect(rows[6]).toBe(",'=1+1,25,25,2,1,0.5")
  expect(rows).toHaveLength(22)

  const answer = await api.fetch(
    new Request(`${api.origin}${customerBase(tenant.code)}/analytics.csv?${new URLSearchParams(query)}`, {
      headers: { authorization: `Bearer ${token}` },
    }),
  )
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toContain(
    `filename="analytics-${film.code}-retention-${day}-${day}.csv"`,
  )
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(Buffer.from(await answer.arrayBuffer()).toString()).toBe(csv.out)
  expect((await client.analytics.table(query)).name).toBe(`analytics-${film.code}-retention-${day}-${day}.csv`)
})

test('the retention table is available to operators of its store alone, and refuses invalid queries', async () => {
  const [tenant, other] = [await createTenant(api), await createTenant(api)]
  const film = await freeFilm(other)
  await play(watcher(other), film, 0, 50)
  await rollUp(other)
  const { token, client } = await tenant.createOperator()
  const [theirs, member] = [await other.createOperator(), await tenant.createMember()]

  expect(await (await theirs.client.analytics.table({})).text()).toContain(`${film.code},A quiet tide,0,1,0.8,0,0\r\n`)
  expect(await (await client.analytics.table({})).text()).toBe(
    'product,title,views,plays,played minutes,finishes,finish rate\r\n',
  )
  expect(await failureOf(client.analytics.table({ product: film.code }))).toMatchObject({ status: 404 })
  expect(await failureOf(client.analytics.retention({ code: film.code }))).toMatchObject({ status: 404 })
  for (const stranger of [tenant.guest, member.client, api.client(other.code, { token })])
    for (const call of [() => stranger.analytics.table({}), () => stranger.analytics.retention({ code: film.code })])
      expect([401, 403]).toContain((await failureOf(call())).status)

  for (const query of [
    { per: 'lesson' },
    { per: 'retention' },
    { product: film.code, per: 'product' },
    { from: '2026-03-02', to: '2026-03-01' },
    { limit: 10_001 },
  ] as const)
    expect((await failureOf(client.analytics.table(query))).status).toBe(422)

  const byDay = await (await theirs.client.analytics.table({ per: 'day', from: dayThere(other) })).text()
  expect(byDay).toBe(`from,views,plays,played minutes,finishes,finish rate\r\n${dayThere(other)},0,1,0.8,0,0\r\n`)
  const document = (await (await api.fetch(new Request(`${api.origin}/api/v1/openapi.json`))).json()) as {
    paths: Record<string, { get: { security: unknown; responses: Record<string, { content: object }> } }>
  }
  const described = document.paths['/analytics.csv']?.get
  expect(described?.security).toEqual([{ operator: [] }, { staff: [] }])
  expect(Object.keys(described?.responses['200']?.content ?? {})).toEqual(['text/csv; charset=utf-8'])
})
