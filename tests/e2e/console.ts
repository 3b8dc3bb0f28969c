import { expect, type Page } from 'playwright/test'
import type { StaffRole } from '#contract/permissions.ts'
import { DEMO_OPERATOR, DEMO_PASSWORD } from '#demo/seed/accounts.ts'
import { command } from './command'
import { post } from './requests'

/** The API says so before anybody is signed in. */
export const signedOut = /401/

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

/** Opens a page of the console as the demo's operator, through the form that is in its place. */
export const enterConsole = async (page: Page, path = '') => {
  await page.goto(`/admin${path}`)
  await fillSignIn(page)
  await expect(page.getByRole('navigation', { name: 'Console' })).toBeVisible()
}

/** Creates a closed store at a host of its own, for what must not change the demo's. */
export const createStore = (baseURL: string, code: string, name: string) => {
  const place = ['--host', `${code}.localhost`, '--locale', 'en', '--currency', 'USD', '--timezone', 'UTC']
  return command(baseURL, ['customer', 'create', '--code', code, '--name', name, ...place])
}

/** Makes the demo's operator an owner of a store, and opens a page of its console as that owner. */
export const enterAsOwner = async (
  page: Page,
  baseURL: string,
  { at, code, path }: { at: (code: string, path: string) => string; code: string; path: string },
) => {
  const { stdout } = await command(baseURL, ['staff', 'invite', DEMO_OPERATOR, '-c', code, '--role', 'OWNER'])
  const link = new URL(/https?:\S+/.exec(stdout)?.[0] ?? '')
  await page.goto(at(code, link.pathname + link.search))
  await page.getByLabel('Password').fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Accept invitation' }).click()
  await expect(page.getByRole('link', { name: 'Open the console' })).toBeVisible()
  await page.goto(at(code, path))
  await fillSignIn(page)
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
  const key = new URL(/\/admin\/invitation\S+/.exec(stdout)?.[0] ?? '', baseURL).searchParams.get('key')
  const path = '/api/v1/customers/aurora/staff/invitations/accept'
  await post(page, baseURL, path, { key, name: 'Kim', password })
}
