import { request as client } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { readConfig } from '#api/config.ts'
import { openDatabase } from '#server/open-database.ts'
import { newMember } from './new-member'
import { foreignScripts } from './script-policy'
import { expect, test } from './store'

interface Page {
  html: string
  cacheStatus: string | undefined
  policy: string
  requestId: string | undefined
  cookies: string[]
}

/** A GET request with a chosen host, which `fetch` does not allow. */
const get = (base: string, host: string, path: string, headers: Record<string, string> = {}) =>
  new Promise<Page>((resolve, reject) => {
    const { port } = new URL(base)
    const sent = client({
      host: '127.0.0.1',
      port,
      path,
      headers: { host: `${host}:${port}`, accept: 'text/html', ...headers },
    })
    sent.once('error', reject)
    sent.once('response', async (response) => {
      let html = ''
      for await (const chunk of response.setEncoding('utf8')) html += chunk
      resolve({
        html,
        cacheStatus: response.headers['x-cache'] as string | undefined,
        policy: String(response.headers['content-security-policy']),
        requestId: response.headers['x-request-id'] as string | undefined,
        cookies: (response.headers['set-cookie'] ?? []).map((cookie) => cookie.split('=', 1)[0]!),
      })
    })
    sent.end()
  })

test('concurrent visitors of two stores in several languages each get their own page', async ({
  baseURL,
  page,
  store,
}) => {
  await page.goto(store.at('aurora', '/login'))
  await store.signIn()
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')!.value
  const asks = [
    { host: 'aurora', headers: { 'accept-language': 'en' }, lang: 'en', name: 'Aurora' },
    { host: 'aurora', headers: { 'accept-language': 'ko' }, lang: 'ko', name: '오로라' },
    { host: 'aurora', headers: { 'accept-language': 'ar' }, lang: 'ar', name: 'Aurora' },
    { host: 'hangang', headers: { 'accept-language': 'en' }, lang: 'en', name: 'Hangang|한강' },
    { host: 'hangang', headers: { 'accept-language': 'ko' }, lang: 'ko', name: 'Hangang|한강' },
    {
      host: 'aurora',
      headers: { 'accept-language': 'en', cookie: `token=${token}` },
      lang: 'en',
      name: 'Aurora',
      member: true,
    },
  ]
  const paths = ['/', '/products?sort=createdAt,DESC', '/faq']
  // The server refuses more requests at once than it can queue.
  const visits = [...asks, ...asks].flatMap((ask) => paths.map((path) => ({ ask, path })))
  const answers: { ask: (typeof asks)[number]; page: Page }[] = []
  for (let round = 0; round < 4; round++)
    answers.push(
      ...(await Promise.all(
        visits.map(async ({ ask, path }) => ({
          ask,
          page: await get(baseURL!, `${ask.host}.localhost`, path, ask.headers),
        })),
      )),
    )
  for (const { ask, page } of answers) {
    expect(page.html).toMatch(new RegExp(`^<!DOCTYPE html><html lang="${ask.lang}"`))
    expect(page.html).toMatch(new RegExp(`<title>[^<]*(?:${ask.name})`))
    expect(page.html.includes('member@example.com')).toBe(Boolean(ask.member))
    expect(page.cacheStatus === undefined).toBe(Boolean(ask.member))
    expect(foreignScripts(page.html, page.policy)).toEqual([])
    expect(page.cookies).toContain('customerCode')
  }
  expect(answers.filter(({ page }) => page.cacheStatus === 'hit').length).toBeGreaterThan(answers.length / 2)
  expect(new Set(answers.map(({ page }) => page.requestId)).size).toBe(answers.length)
})

test('members see their own states on cards that are cached for all', async ({ baseURL, page, store }) => {
  const takeToken = async () => {
    const token = (await page.context().cookies()).find(({ name }) => name === 'token')!.value
    await page.context().clearCookies()
    return token
  }
  await store.signIn()
  const owner = await takeToken()
  await newMember(page, store.at('aurora', ''))
  const members = { owner, other: await takeToken() }
  const owned = { en: 'Owned', ko: '구매함' }
  const readers = (['owner', 'other', 'guest'] as const).flatMap((who) =>
    (['en', 'ko'] as const).map((language) => ({ who, language })),
  )
  const read = async ({ who, language }: (typeof readers)[number], path: string) => {
    const headers = {
      'accept-language': language,
      ...(who !== 'guest' && { cookie: `token=${members[who]}` }),
    }
    const { html } = await get(baseURL!, 'aurora.localhost', path, headers)
    expect(html).toContain(`<html lang="${language}"`)
    return html.includes(`>${owned[language]}<`)
  }
  for (const path of ['/', '/products', '/', '/products']) {
    const seen = Object.fromEntries(
      await Promise.all(readers.map(async (reader) => [`${reader.who} ${reader.language}`, await read(reader, path)])),
    )
    expect(seen).toEqual({
      'owner en': true,
      'owner ko': true,
      'other en': false,
      'other ko': false,
      'guest en': false,
      'guest ko': false,
    })
  }
})

test('guests share what a press of a card loads, and members get their own', async ({ baseURL, page, store }) => {
  const address = Promise.withResolvers<string>()
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/_serverFn/') && search.includes('blue-hour')) address.resolve(pathname + search)
  })
  await page.goto('/products')
  await page.getByRole('main').getByRole('link', { name: 'Blue Hour', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Blue Hour' })).toBeVisible()
  const path = await address.promise
  await store.signIn()
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')!.value
  const ask = (headers: Record<string, string> = {}) =>
    get(baseURL!, 'aurora.localhost', path, {
      accept: 'application/json',
      'x-tsr-serverfn': 'true',
      'x-page-language': 'en',
      'sec-fetch-site': 'same-origin',
      ...headers,
    })
  const first = await ask()
  expect(first.html).toContain('Blue Hour')
  expect(first.cookies).toEqual(['customerCode'])
  const again = await ask()
  expect(again.cacheStatus).toBe('hit')
  expect(again.html).toBe(first.html)
  expect(again.requestId).not.toBe(first.requestId)
  const korean = await ask({ 'x-page-language': 'ko' })
  expect(korean.html).not.toBe(first.html)
  for (const cookie of [`token=${token}`, 'guest=anything'])
    expect((await ask({ cookie })).cacheStatus, cookie).toBeUndefined()
  // Other origins get no answer, and other clients no answer in this format.
  expect((await ask({ 'sec-fetch-site': 'cross-site' })).html).toContain('FORBIDDEN')
  expect((await ask({ 'x-tsr-serverfn': '' })).cacheStatus).toBeUndefined()
})

test('the data of cards in view is loaded with the first movement of a guest, of no one else', async ({
  page,
  context,
  store,
}) => {
  const calls: string[] = []
  page.on('request', (request) => {
    const call = request.url().includes('/_serverFn/') && request.method() === 'GET'
    if (call) calls.push(decodeURIComponent(new URL(request.url()).search))
  })
  const moved = async () => {
    await page.goto('/products')
    await page.waitForLoadState('networkidle')
    calls.length = 0
    await page.mouse.move(1, 1)
  }
  await moved()
  await expect.poll(() => calls.length).toBeGreaterThanOrEqual(6)
  expect(calls.some((search) => search.includes('blue-hour'))).toBe(true)
  const { length } = calls
  await page.mouse.wheel(0, 900)
  await expect.poll(() => calls.length).toBeGreaterThan(length)
  expect(calls.length).toBeLessThanOrEqual(24)
  await page.getByRole('main').getByRole('link', { name: 'Blue Hour', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Blue Hour' })).toBeVisible()
  expect(calls.filter((search) => search.includes('blue-hour'))).toHaveLength(1)

  // Somebody who signs in meanwhile gets what is pointed at alone.
  await store.signInByForm()
  await store.navigate('/products')
  const card = page.getByRole('main').getByRole('link', { name: 'Deep Focus', exact: true })
  await expect(card).toBeVisible()
  calls.length = 0
  await page.mouse.wheel(0, 900)
  await card.hover()
  await expect.poll(() => calls.filter((search) => search.includes('deep-focus')).length).toBe(1)
  expect(calls.filter((search) => search.includes('"code"'))).toHaveLength(1)

  await context.clearCookies()
  await context.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
  await moved()
  await card.hover()
  await expect.poll(() => calls.length).toBe(1)
})

test('a busy store gets no more calls for cards in view, and the visitor no message', async ({ page, store }) => {
  store.expected.push(/503/)
  let calls = 0
  await page.route(/_serverFn.*payload/, (route) => {
    calls++
    return route.fulfill({ status: 503, json: { code: 'OVERLOADED', message: 'Busy' } })
  })
  await page.goto('/products')
  await page.waitForLoadState('networkidle')
  await page.mouse.move(1, 1)
  await expect.poll(() => calls).toBeGreaterThanOrEqual(6)
  await page.waitForLoadState('networkidle')
  const before = calls
  await page.mouse.wheel(0, 900)
  await page.waitForFunction(() => new Promise((resolve) => requestIdleCallback(() => resolve(scrollY > 0))))
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.unrouteAll({ behavior: 'wait' })
  const card = page.getByRole('main').getByRole('link', { name: 'Blue Hour', exact: true })
  await card.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Blue Hour' })).toBeVisible()
  expect(calls).toBe(before)
})

test('a guest with a cart, an unknown page and the sign-in are never shared', async ({ baseURL }) => {
  for (const [path, headers] of [
    ['/products', { cookie: 'guest=anything' }],
    ['/no-such-page', {}],
    ['/login', {}],
  ] as const)
    for (let time = 0; time < 2; time++)
      expect((await get(baseURL!, 'aurora.localhost', path, headers)).cacheStatus).not.toBe('hit')
})

test('a new price is on the page with the next request', async ({ baseURL }) => {
  const config = readConfig({ MARQUEE_DATA: join(tmpdir(), `marquee-e2e-${new URL(baseURL!).port}`) })
  await using database = await openDatabase(config, () => {}, { join: true })
  const owner = new pg.Client({ connectionString: database.ownerUrl! })
  await owner.connect()
  const raiseBy = async (won: number) => {
    await owner.query('BEGIN')
    await owner.query(
      `SELECT set_config('marquee.customer_id', customer_id::text, true) FROM customers WHERE code = 'hangang'`,
    )
    await owner.query(
      `UPDATE product_options o SET price_amount = o.price_amount + $1 FROM products p
        WHERE p.customer_id = current_customer() AND p.code = 'hangul-lettering' AND o.customer_id = p.customer_id AND o.product_id = p.id`,
      [won],
    )
    await owner.query('COMMIT')
  }
  const read = () => get(baseURL!, 'hangang.localhost', '/products/hangul-lettering', { 'accept-language': 'ko' })
  try {
    await read()
    const before = await read()
    expect(before.cacheStatus).toBe('hit')
    expect(before.html).not.toMatch(/[\d,]+7원</)
    await raiseBy(7)
    const after = await read()
    expect(after.cacheStatus).toBe('miss')
    expect(after.html).toMatch(/[\d,]+7원</)
  } finally {
    await raiseBy(-7)
    await owner.end()
  }
})
