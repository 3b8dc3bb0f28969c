import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { createApi } from '#api/app.ts'
import { createDeps } from '#api/deps.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { ownDatabase } from '#tests/support/own-database.ts'

// Commands of other files read the clock of their database.
const database = await ownDatabase()

const open = (production: boolean) =>
  createDeps({
    databaseUrl: database.url,
    jobsDatabaseUrl: database.jobsUrl,
    secret: 'x'.repeat(32),
    config: {
      production,
      dataFolder: tmpdir(),
      logLevel: 'silent',
      databasePoolSize: 2,
      publicUrl: null,
      trustedProxies: [],
    },
  })
const request = (deps: ReturnType<typeof open>, headers: Record<string, string> = {}, step?: string) => {
  const days: Date[] = []
  const api = createApi(deps, {
    settle: async () => {
      days.push(deps.clock.now())
    },
  })
  const request = new Request('http://store.test/sandbox/clock', {
    method: step ? 'POST' : 'GET',
    headers,
    ...(step ? { body: new URLSearchParams({ step }) } : {}),
  })
  return api.fetch(request).then(async (response) => ({ status: response.status, text: await response.text(), days }))
}

test('the store’s clock moves forward for every process, a day at a time, and never back', async () => {
  await using here = open(false)
  await using there = open(false)
  const before = there.clock.now().getTime()
  expect(await request(here, {}, 'week')).toMatchObject({
    status: 200,
    days: { length: 7 },
    text: expect.stringMatching(/Day 1 of 7[\s\S]*Day 7 of 7[\s\S]*Done/),
  })
  await there.storeClock?.refresh()
  expect(there.clock.now().getTime() - before).toBeGreaterThanOrEqual(7 * dayMilliseconds)
  await expect(here.storeClock?.move(-1)).rejects.toThrow(RangeError)
})

test('the clock’s page is in the language chosen in the store, else in the browser’s', async () => {
  await using demo = open(false)
  const korean = await request(demo, { 'accept-language': 'ko-KR,ko;q=0.9' })
  expect(korean.text).toContain('<html lang="ko" dir="ltr">')
  expect(korean.text).toContain('<h1>스토어 시계</h1>')
  const arabic = await request(demo, { 'accept-language': 'ko', cookie: 'locale=ar' }, 'hour')
  expect(arabic.text).toMatch(/<html lang="ar" dir="rtl">[\s\S]*اليوم 1 من 1/)
})

test('the clock’s page shows the progress of many days, without a form to submit again', async () => {
  await using demo = open(false)
  let goOn = () => {}
  const gate = new Promise<void>((resolve) => {
    goOn = resolve
  })
  let passed = 0
  const api = createApi(demo, { settle: () => (++passed < 3 ? Promise.resolve() : gate) })
  const body = new URLSearchParams({ step: 'week' })
  const response = await api.fetch(new Request('http://store.test/sandbox/clock', { method: 'POST', body }))
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let seen = ''
  while (!seen.includes('Day 2 of 7')) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`The page ended early: ${seen}`)
    seen += value
  }
  expect(seen).not.toContain('Day 3 of 7')
  expect(seen).not.toContain('<button')
  goOn()
  for (let part = await reader.read(); !part.done; part = await reader.read()) seen += part.value
  expect(seen).toContain('Done. Continue')
})

test('the clock cannot be moved by another site, and a store in production has no such page', async () => {
  await using demo = open(false)
  const before = demo.storeClock?.ahead()
  expect((await request(demo, { 'sec-fetch-site': 'cross-site' }, 'day')).status).toBe(403)
  expect(demo.storeClock?.ahead()).toBe(before)
  await using production = open(true)
  expect(production.storeClock).toBeNull()
  for (const step of [undefined, 'day']) expect((await request(production, {}, step)).status).toBe(404)
})
