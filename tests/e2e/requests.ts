import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { Page } from 'playwright/test'

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  cookies: string[]
  text: string
}

/**
 * Asks a store without a page: the system does not know the names of the demo's hosts, so the
 * address is the machine's own. Sends a body as JSON, or as a form. `added` are further headers.
 */
export async function callApi(
  page: Page,
  store: string,
  path: string,
  body?: object,
  added: Record<string, string> = {},
): Promise<Answer> {
  const { host, port, origin } = new URL(store)
  const cookie = (await page.context().cookies(origin)).map(({ name, value }) => `${name}=${value}`).join('; ')
  const [agent, language] = await page.evaluate(() => [navigator.userAgent, navigator.language])
  const browser = { 'user-agent': agent, 'accept-language': language }
  const isForm = body instanceof URLSearchParams
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  const headers = { host, origin, cookie, ...browser, ...(body && { 'content-type': type }), ...added }
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const method = body ? 'POST' : 'GET'
  const call = request({ host: '127.0.0.1', port, path, method, headers }, resolve)
  call.on('error', reject).end(isForm ? String(body) : body && JSON.stringify(body))
  const answer = await promise
  const text = Buffer.concat(await answer.toArray()).toString()
  const { statusCode: status = 0, headers: received } = answer
  return { status, headers: received, cookies: received['set-cookie'] ?? [], text }
}

/** A call to the API. The page's context keeps the cookies that the answer sets. */
export async function post(page: Page, store: string, path: string, body: object, added?: Record<string, string>) {
  const { status, cookies, text } = await callApi(page, store, path, body, added)
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

/** Calls Aurora's API as a member, or as nobody, from a page of the store. */
export const callAs = (page: Page, token: string | null, path: string, body: object, method = 'POST') =>
  page.evaluate(
    async ([url, text, bearer, how]) => {
      const headers = { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) }
      const answer = await fetch(url, { method: how, headers, body: text })
      if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
      return answer.status === 204 ? null : answer.json()
    },
    [`/api/v1/customers/aurora${path}`, JSON.stringify(body), token, method] as const,
  )
