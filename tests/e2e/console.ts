import { expect, type Page } from 'playwright/test'
import { headers as headerNames } from '#contract/http.ts'
import type { StaffRole } from '#contract/permissions.ts'
import { DEMO_OPERATOR, DEMO_PASSWORD } from '#demo/seed/accounts.ts'
import { command } from './command'
import { callApi, post } from './requests'
import { test } from './store'

/** The API says so before anybody is signed in. */
export const signedOut = /401/

const operator = { email: DEMO_OPERATOR, password: DEMO_PASSWORD }

/** The API answers a sign-in of the console with a cookie. */
const asConsole = { [headerNames.console]: '1', 'sec-fetch-site': 'same-origin' }

/**
 * Signs in as the demo's operator, on the form that is shown. The language is chosen, because other
 * tests change that of the account meanwhile.
 */
export const fillSignIn = async (page: Page) => {
  await page.evaluate(() => localStorage.getItem('console-language') ?? localStorage.setItem('console-language', 'en'))
  await page.getByLabel('Email').fill(DEMO_OPERATOR)
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Opens a page of the console for the person who is signed in. Chooses English if nothing is. */
const openConsole = async (page: Page, address: string) => {
  const choice = await page.addInitScript(() => {
    if (!localStorage.getItem('console-language')) localStorage.setItem('console-language', 'en')
  })
  await page.goto(address)
  // The frame of an email would refuse the script.
  await choice.dispose()
  await expect(page.getByRole('navigation', { name: 'Console' })).toBeVisible()
  // The frame is there before the session, without it.
  await expect(page.getByRole('button', { name: 'Find anything' })).toBeVisible()
}

/**
 * Opens a page of Aurora's console as the demo's operator, or as another person of the staff. Signs
 * in without the form, which has tests of its own.
 */
export const enterConsole = async (page: Page, path = '', person = operator) => {
  const store = test.info().project.use.baseURL!
  await post(page, store, '/api/v1/customers/aurora/staff/sessions', person, asConsole)
  await openConsole(page, `/admin${path}`)
}

/** Creates a closed store at a host of its own, for what must not change the demo's. */
export const createStore = (baseURL: string, code: string, name: string) => {
  const place = ['--host', `${code}.localhost`, '--locale', 'en', '--currency', 'USD', '--timezone', 'UTC']
  return command(baseURL, ['customer', 'create', '--code', code, '--name', name, ...place])
}

/** The key in the link of an invitation. */
const keyIn = (output: string, baseURL: string) =>
  new URL(/\/admin\/invitation\S+/.exec(output)?.[0] ?? '', baseURL).searchParams.get('key')

/** Makes the demo's operator an owner of a store, and opens a page of its console as that owner. */
export const enterAsOwner = async (
  page: Page,
  baseURL: string,
  { at, code, path }: { at: (code: string, path: string) => string; code: string; path: string },
) => {
  const { stdout } = await command(baseURL, ['staff', 'invite', DEMO_OPERATOR, '-c', code, '--role', 'OWNER'])
  const accept = `/api/v1/customers/${code}/staff/invitations/accept`
  await post(page, at(code, ''), accept, { key: keyIn(stdout, baseURL), password: DEMO_PASSWORD }, asConsole)
  await openConsole(page, at(code, path))
}

/** Creates an account of Aurora's staff, named Kim, by an invitation that is accepted. */
export const createStaff = async (
  page: Page,
  baseURL: string,
  email: string,
  password: string,
  role: StaffRole = 'SUPPORT',
) => {
  const { stdout } = await command(baseURL, ['staff', 'invite', email, '-c', 'aurora', '--role', role])
  const path = '/api/v1/customers/aurora/staff/invitations/accept'
  await post(page, baseURL, path, { key: keyIn(stdout, baseURL), name: 'Kim', password })
}

/** The document to which an address of a store leads, read without loading a page. */
const documentAt = async (page: Page, store: string, path: string): Promise<string> => {
  const { headers, text } = await callApi(page, store, path, undefined, { accept: 'text/html' })
  if (headers.location === undefined) return text
  const { pathname, search } = new URL(headers.location, store)
  return documentAt(page, store, pathname + search)
}

/** A page of a store without its scripts, its main part, and its headings and links in order. */
export const readPage = async (page: Page, store: string, path: string) => {
  const html = (await documentAt(page, store, path)).replace(/<script\b.*?<\/script>/gs, '')
  const lines = [...html.matchAll(/<(h[1-6]|a)\b[^>]*>(.*?)<\/\1>/gs)].map(
    ([, element, content = '']) => `${element}: ${content.replace(/<[^>]*>/g, '').trim()}`,
  )
  return { html, main: /<main\b.*<\/main>/s.exec(html)?.[0] ?? '', lines }
}
