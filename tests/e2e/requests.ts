import { type IncomingMessage, request } from 'node:http'
import type { Page } from 'playwright/test'

interface Answer {
  status: number
  cookies: string[]
  text: string
}

/**
 * Asks a store without a page: the system does not know the names of the demo's hosts, so the
 * address is the machine's own.
 */
export async function callApi(page: Page, store: string, path: string, body?: object): Promise<Answer> {
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
export async function post(page: Page, store: string, path: string, body: object) {
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
