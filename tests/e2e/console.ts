import { expect, type Page } from 'playwright/test'
import { DEMO_OPERATOR, DEMO_PASSWORD } from '#demo/seed.ts'

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
