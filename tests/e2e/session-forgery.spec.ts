import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cookieOf } from './conformance-page'
import { expect, test } from './store'

const base = '/api/v1/customers/aurora'

/** A session of its own, past the pages. */
async function newSession(store: URL, email = 'second@example.com') {
  const answer = await fetch(`http://127.0.0.1:${store.port}${base}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'marquee-demo' }),
  })
  expect(answer.ok).toBe(true)
  return (await answer.json()) as { token: string; tokenType: string; expiresAt: string }
}

const lives = async (store: URL, token: string) => {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`http://127.0.0.1:${store.port}${base}/me`, { headers })).ok
}

const refused: Record<string, Record<string, string>> = {
  'another site': { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
  'a link on another site': { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-user': '?1' },
  'another origin of this site': { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
  'the address bar': { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
  'another origin, in an old browser': { origin: 'https://elsewhere.example' },
  'a page of another origin, in an old browser': { referer: 'https://elsewhere.example/' },
  'nobody says where': {},
}
const passive: Record<string, Record<string, string>> = {
  'an image': { 'sec-fetch-dest': 'image' },
  'a style': { 'sec-fetch-dest': 'style' },
  'a script': { 'sec-fetch-dest': 'script' },
  'a frame': { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' },
  'a prefetch': { 'sec-purpose': 'prefetch', 'sec-fetch-dest': 'empty' },
  'a prerendered page': { 'sec-purpose': 'prefetch;prerender', 'sec-fetch-mode': 'navigate' },
  'an old prefetch': { purpose: 'prefetch' },
}

test('cancel-approval ends no session for another origin, an image or a prefetch', async ({ baseURL }) => {
  const store = new URL(baseURL!)
  const { token } = await newSession(store)
  const address = `http://127.0.0.1:${store.port}/api/cancel-approval`
  const cookie = `customerCode=aurora; token=${token}`
  const ownRequests = Object.entries(passive).map(([who, headers]) => [
    who,
    { 'sec-fetch-site': 'same-origin', ...headers },
  ])
  for (const [who, headers] of [...Object.entries(refused), ...ownRequests] as [string, Record<string, string>][]) {
    const answer = await fetch(address, { headers: { ...headers, cookie }, redirect: 'manual' })
    expect(answer.status, who).toBe(403)
    expect(
      answer.headers.getSetCookie().filter((line) => line.startsWith('token=')),
      who,
    ).toEqual([])
    expect(await lives(store, token), who).toBe(true)
  }
  const answer = await fetch(address, { headers: { 'sec-fetch-site': 'same-origin', cookie } })
  expect(answer.status).toBe(200)
  expect(await lives(store, token)).toBe(false)
})

test('a cookie with characters that no header allows is ignored', async ({ baseURL }) => {
  const address = `http://127.0.0.1:${new URL(baseURL!).port}/products`
  for (const name of ['token', 'guest'])
    for (const value of ['%ED%95%9C%EA%B8%80', 'a%0D%0Ab', '%00', 'two%20words']) {
      const answer = await fetch(address, { headers: { cookie: `customerCode=aurora; ${name}=${value}` } })
      expect(answer.status, `${name}=${value}`).toBe(200)
    }
})

test('approval refuses a login from another origin', async ({ baseURL }) => {
  const store = new URL(baseURL!)
  const body = JSON.stringify(await newSession(store))
  const address = `http://127.0.0.1:${store.port}/api/approval`
  const send = (headers: Record<string, string>, type = 'application/json') =>
    fetch(address, {
      method: 'POST',
      headers: { ...headers, cookie: 'customerCode=aurora', 'content-type': type },
      body,
    })
  for (const [who, headers] of Object.entries(refused))
    for (const type of ['application/json', 'text/plain']) {
      const answer = await send(headers, type)
      expect(answer.status, who).toBe(403)
      expect(
        answer.headers.getSetCookie().filter((line) => line.startsWith('token=')),
        who,
      ).toEqual([])
    }
  const own = await send({ 'sec-fetch-site': 'same-origin' })
  expect(own.headers.getSetCookie().join()).toContain('token=')
})

/**
 * Pages of other origins: those of the store's own host are of the same site, and its cookies come
 * along.
 */
async function elsewhere() {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Elsewhere</title><p>Look at this.')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { at: (host: string) => `http://${host}:${port}/`, close: () => server.close() }
}

test('pages of other origins neither sign a member out nor sign anyone in', async ({ page, store, baseURL }) => {
  store.expected.push(/403|CORS|ERR_FAILED|ERR_BLOCKED/, /favicon/)
  const shop = new URL(baseURL!)
  const foreign = await newSession(shop)
  await store.signInByForm()
  const token = (await cookieOf(page, 'token'))!.value
  const other = await elsewhere()
  const sessionCookie = async () => (await page.context().cookies(baseURL!)).find(({ name }) => name === 'token')?.value

  for (const host of [shop.hostname, 'elsewhere.localhost']) {
    await page.goto(other.at(host))
    await page.evaluate(
      async ([address, login]) => {
        const image = (source: string) =>
          new Promise((ended) => {
            const element = new Image()
            element.onload = element.onerror = ended
            element.src = source
          })
        await image(`${address}/api/cancel-approval`)
        await fetch(`${address}/api/cancel-approval`, { mode: 'no-cors', credentials: 'include' }).catch(() => {})
        const init = { method: 'POST', mode: 'no-cors', credentials: 'include', body: login } as const
        await fetch(`${address}/api/approval`, init).catch(() => {})
      },
      [shop.origin, JSON.stringify(foreign)] as const,
    )
    const followed = page.waitForResponse(/\/api\/cancel-approval/)
    // Its answer replaces the page: what comes next must not be overtaken by it.
    const replaced = page.waitForEvent('framenavigated')
    await page.evaluate((address) => location.assign(`${address}/api/cancel-approval`), shop.origin)
    expect((await followed).status(), host).toBe(403)
    await replaced
    expect(await sessionCookie(), host).toBe(token)
    expect(await lives(shop, token), host).toBe(true)
  }

  // The store's own pages show pictures that others have chosen.
  await page.goto('/faq')
  const shown = page.waitForResponse(/\/api\/cancel-approval/)
  await page.evaluate(() => {
    new Image().src = '/api/cancel-approval'
  })
  expect((await shown).status()).toBe(403)
  expect(await lives(shop, token)).toBe(true)
  expect(await page.evaluate(async () => (await fetch('/api/cancel-approval')).status)).toBe(200)
  expect(await lives(shop, token)).toBe(false)
  other.close()
})

test('a public page answers a visitor with an expired session like a guest', async ({ page, baseURL }) => {
  for (const path of ['/', '/products', '/plans']) {
    await page.context().addCookies([{ name: 'token', value: 'names-nobody', url: baseURL! }])
    expect((await page.goto(path))?.status(), path).toBe(200)
    expect(await cookieOf(page, 'token')).toBeUndefined()
  }
})
