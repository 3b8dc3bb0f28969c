import { request as httpRequest } from 'node:http'
import { latestMail } from './mailbox'
import { newMember } from './new-member'
import { expect, hydrated, test } from './store'

const password = 'a lamp beside the river'

/** A post as a proxy in front passes it on from https; `fetch` would not send the headers. */
const throughProxy = (origin: string, path: string, { cookie = '', body = '' }) =>
  new Promise<{ status: number; cookies: string[] }>((answer, fail) => {
    const { port, host } = new URL(origin)
    const headers = {
      host,
      'x-forwarded-proto': 'https',
      'x-forwarded-host': host,
      origin: `https://${host}`,
      cookie,
      'content-type': 'application/x-www-form-urlencoded',
    }
    const sent = httpRequest({ host: '127.0.0.1', port, path, method: body ? 'POST' : 'GET', headers }, (response) => {
      response.resume()
      answer({ status: response.statusCode ?? 0, cookies: response.headers['set-cookie'] ?? [] })
    })
    sent.on('error', fail).end(body)
  })

test('a member whose sign-in is limited signs in on a new device by a mailed link', async ({
  page,
  browser,
  store,
}) => {
  store.expected.push(/status of (401|429)/)
  const origin = store.at('aurora').replace(/\/$/, '')
  const email = await newMember(page, origin)
  await page.context().clearCookies()
  await page.goto(`${origin}/login`)
  const signIn = async (word: string) => {
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await page.getByLabel('Password', { exact: true }).fill(word)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  for (let round = 0; round < 5; round++) {
    const answered = page.waitForResponse(
      (response) => response.url().includes('/_serverFn/') && response.request().method() === 'POST',
    )
    await signIn('not it')
    expect((await answered).status()).toBe(401)
  }
  await signIn(password)
  await expect(page.getByText(/Too many attempts\. Try again in \d+ second/)).toBeVisible()
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await expect(page.getByText(/we’ve sent a link to it/)).toBeVisible()

  const mail = await latestMail(page, origin, email, /new device/i)
  const path = /\/login\?key=[^\s"]+/.exec(mail)?.[0]
  const device = await browser.newContext()
  const elsewhere = await device.newPage()
  await elsewhere.goto(`${origin}${path}`)
  await hydrated(elsewhere)
  await expect(elsewhere.getByText('Enter your email and password to sign in on this device.')).toBeVisible()
  await elsewhere.getByRole('textbox', { name: 'Email' }).fill(email)
  await elsewhere.getByLabel('Password', { exact: true }).fill(password)
  await elsewhere.getByRole('button', { name: 'Sign in', exact: true }).click()
  await elsewhere.waitForURL((url) => !url.pathname.startsWith('/login'))
  const deviceCookie = (await device.cookies()).find(({ name }) => name === 'device')
  expect(deviceCookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
  await device.close()
})

test('session and device cookies have the prefix __Host- over https, and old ones are renamed once', async ({
  store,
}) => {
  const origin = store.at('aurora').replace(/\/$/, '')
  const form = 'email=member%40example.com&password=marquee-demo'
  const { status, cookies } = await throughProxy(origin, '/login', { body: form })
  expect(status).toBe(303)
  for (const name of ['token', 'device']) {
    const written = cookies.find((cookie) => cookie.startsWith(`__Host-${name}=`)) ?? ''
    expect(written).toMatch(/; Path=\/(;|$)/)
    expect(written).toMatch(/; Secure(;|$)/)
    expect(written).toMatch(/; HttpOnly(;|$)/)
    expect(written).not.toMatch(/Domain/i)
  }
  expect(cookies.some((cookie) => cookie.startsWith('customerCode='))).toBe(true)

  const token = /^__Host-token=([^;]+)/.exec(cookies.find((cookie) => cookie.startsWith('__Host-token='))!)![1]
  const renamed = await throughProxy(origin, '/mypages/profile', { cookie: `token=${token}` })
  expect(renamed.status).toBe(200)
  expect(renamed.cookies.some((cookie) => cookie.startsWith(`__Host-token=${token}`))).toBe(true)
  expect(renamed.cookies.some((cookie) => /^token=;.*(Max-Age=0|Expires=Thu, 01 Jan 1970)/i.test(cookie))).toBe(true)
  const now = await throughProxy(origin, '/mypages/profile', { cookie: `__Host-token=${token}; token=a-neighbour-s` })
  expect(now.status).toBe(200)
  expect(now.cookies.some((cookie) => cookie.includes('token='))).toBe(false)
})
