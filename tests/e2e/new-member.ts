import { randomUUID } from 'node:crypto'
import { type IncomingMessage, request } from 'node:http'
import { expect, type Page } from 'playwright/test'

/** The password of every member that a test creates. */
export const password = 'a lamp beside the river'
export const demoPassword = 'marquee-demo'

interface Answer {
  status: number
  cookies: string[]
  text: string
}

/**
 * Asks a store without a page: the system does not know the names of the demo's hosts, so the
 * address is the machine's own.
 */
async function callApi(page: Page, store: string, path: string, body?: object): Promise<Answer> {
  const { host, port, origin } = new URL(store)
  const cookie = (await page.context().cookies(origin)).map(({ name, value }) => `${name}=${value}`).join('; ')
  const [agent, language] = await page.evaluate(() => [navigator.userAgent, navigator.language])
  const browser = { 'user-agent': agent, 'accept-language': language }
  const headers = { host, origin, cookie, ...browser, ...(body && { 'content-type': 'application/json' }) }
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const method = body ? 'POST' : 'GET'
  const call = request({ host: '127.0.0.1', port, path, method, headers }, resolve)
  call.on('error', reject).end(body && JSON.stringify(body))
  const answer = await promise
  const text = Buffer.concat(await answer.toArray()).toString()
  return { status: answer.statusCode ?? 0, cookies: answer.headers['set-cookie'] ?? [], text }
}

/** A call to the API. The page's context keeps the cookies that the answer sets. */
async function post(page: Page, store: string, path: string, body: object) {
  const { status, cookies, text } = await callApi(page, store, path, body)
  if (status >= 300) throw new Error(`${path} answered ${status}: ${text}`)
  await page.context().addCookies(
    cookies.map((cookie) => {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      return {
        name,
        value,
        url: new URL(store).origin,
        httpOnly: /; ?httponly/i.test(cookie),
        sameSite: 'Lax' as const,
      }
    }),
  )
  return JSON.parse(text)
}

const baseOf = (store: string) => `/api/v1/customers/${new URL(store).hostname.split('.')[0]}`

/**
 * Signs a member in as the login form does: at the API, then at the app server. No page is loaded.
 */
export async function enter(page: Page, store: string, email: string, secret = password): Promise<void> {
  const session = await post(page, store, `${baseOf(store)}/login`, { email, password: secret })
  await post(page, store, '/api/approval', session)
}

/** Signs in one of the demo's members. No page is loaded. */
export const enterAsDemoMember = (page: Page, store: string, email: string) => enter(page, store, email, demoPassword)

/** The six digits of the latest mail to an address. Waits for the mail. */
async function codeMailed(page: Page, store: string, to: string): Promise<string> {
  const read = async (path: string) => (await callApi(page, store, path)).text
  let mail: string | undefined
  await expect
    .poll(async () => {
      mail = /href="(\/mailbox\/[\w-]+\/[0-9a-f-]{36})"/.exec(await read(`/mailbox?to=${encodeURIComponent(to)}`))?.[1]
      return mail
    })
    .toBeDefined()
  const text = (await read(mail!)).replace(/<[^>]*>/g, ' ')
  return /\b\d{6}\b/.exec(text)![0]
}

/**
 * A member for one test alone, signed in. Joins by the API; the pages of joining have tests of
 * their own.
 */
export async function newMember(page: Page, store: string): Promise<string> {
  const email = `e2e-${randomUUID().slice(0, 8)}@example.com`
  const base = baseOf(store)
  const consents = { agreeTerms: true, agreePrivacy: true, isOldEnough: true }
  const form = { email, password, name: 'Sora Lee', phone: '+12133734253', ...consents }
  const { token } = await post(page, store, `${base}/join/verifications`, form)
  await post(page, store, `${base}/join/verifications/confirm`, { token, code: await codeMailed(page, store, email) })
  await post(page, store, '/api/approval', await post(page, store, `${base}/join`, { token }))
  return email
}
