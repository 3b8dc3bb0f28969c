import { expect, type Page } from 'playwright/test'
import { hydrated } from './store'

/**
 * Buys what a product page offers first, or the option of that name, with a card of the sandbox.
 * Answers the order's code.
 */
export async function buyFilm(page: Page, store: string, code: string, option?: RegExp): Promise<string> {
  await page.goto(`${store}/products/${code}`)
  await hydrated(page)
  const main = page.getByRole('main')
  if (option) await main.getByRole('radio', { name: option }).check({ force: true })
  await addToCart(page)
  await page.goto(`${store}/payments`)
  await hydrated(page)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: /^Pay / }).click()
  await page.waitForURL(/\/sandbox\//)
  await page.getByLabel('Card number').fill('4242 4242 4242 4242')
  await page.getByLabel('Expiry date').fill('12/30')
  await page.getByLabel('Security code').fill('123')
  await page.getByLabel('Name on card').fill('Sora Lee')
  await page.getByRole('button', { name: /^Pay / }).click()
  await expect(page.getByRole('heading', { name: 'Payment complete. Enjoy!' })).toBeVisible()
  return new URL(page.url()).searchParams.get('order')!
}

/** Adds the product of the page, and waits until the server has it: the page shows it at once. */
export async function addToCart(page: Page): Promise<void> {
  const main = page.getByRole('main')
  const saved = page.waitForResponse((response) => /optionId/.test(response.request().postData() ?? ''))
  await main.getByRole('button', { name: 'Add to cart' }).first().click()
  await expect(main.getByText('In your cart').first()).toBeVisible()
  await saved
}
