import type { Page } from 'playwright/test'
import { buyFilm } from './buy-film'
import { newMember } from './new-member'
import { expect, test } from './store'

/** What has the focus: its name and text, or BODY. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    return !element || element === document.body
      ? 'BODY'
      : (element.getAttribute('aria-label') ?? element.textContent ?? '')
  })

test('adding to the cart moves the focus to the cart link without scrolling', async ({ page, store }) => {
  await newMember(page, store.at('aurora', ''))
  await page.goto(store.at('aurora', '/products/the-last-light'))
  await page.waitForLoadState('networkidle')
  const add = page.getByRole('button', { name: 'Add to cart' }).first()
  await add.focus()
  const before = await page.evaluate(() => scrollY)
  // The page shows it at once; a page that is loaded next shows it when the server has it.
  const saved = page.waitForResponse((response) => /optionId/.test(response.request().postData() ?? ''))
  await page.keyboard.press('Enter')
  const link = page.getByRole('link', { name: 'In your cart' }).first()
  await expect(link).toBeFocused()
  expect(await page.evaluate(() => scrollY)).toBe(before)
  await saved

  await page.goto(store.at('aurora', '/carts'))
  await page.waitForLoadState('networkidle')
  await page.getByRole('button', { name: /from cart$/ }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your cart is empty.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('a failed sign-in moves the focus to its message', async ({ page, store }) => {
  store.expected.push(/401/)
  await page.goto('/login')
  await page.waitForLoadState('networkidle')
  await page.getByLabel('Email', { exact: true }).fill('member@example.com')
  await page.getByLabel('Password', { exact: true }).fill('not-the-password')
  await page.keyboard.press('Enter')
  const refusal = page.getByRole('main').getByRole('alert')
  // Announced at the form, so the toast shows it without another announcement.
  const toast = page.locator('[data-scope=toast][data-part=root]').filter({ hasText: 'LOGIN_FAILED' })
  await expect(page.locator('[aria-live=off]').filter({ has: toast })).toHaveCount(1)
  await expect(refusal).toBeFocused()
})

test('a finished refund moves the focus to its result, and closing it leaves the focus on the page', async ({
  page,
  store,
}) => {
  await newMember(page, store.at('aurora', ''))
  const code = await buyFilm(page, store.at('aurora', ''), 'the-last-light')
  await page.goto(store.at('aurora', `/mypages/order-histories/${code}`))
  await page.getByRole('link', { name: 'Request a refund' }).press('Enter')
  const modal = page.getByRole('dialog', { name: 'Cancel or refund' })
  await expect(modal.locator(':focus')).toHaveCount(1)
  await modal.getByRole('button', { name: /^Refund .* now$/ }).press('Enter')
  await expect(modal).toContainText('to your card ending in 4242.')
  await expect(modal.locator(':focus')).toContainText('to your card ending in 4242.')
  await modal.getByRole('button', { name: 'Close' }).last().press('Enter')
  await expect(modal).toBeHidden()
  await expect.poll(() => focused(page)).not.toBe('BODY')
})

test('an element that disappears when pressed leaves the focus in its section', async ({ page }) => {
  await page.goto('/products?access=FREE')
  await page.waitForLoadState('networkidle')
  const chip = page
    .getByRole('main')
    .getByRole('link', { name: /Remove/ })
    .first()
  await chip.focus()
  await page.keyboard.press('Enter')
  await expect(page).not.toHaveURL(/access=FREE/)
  await expect.poll(() => focused(page)).not.toBe('BODY')
})
