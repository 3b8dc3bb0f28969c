import { expect, type Page } from 'playwright/test'

/** The sandbox's cards to keep, by what they do when they are charged. */
export const storedTestCards = {
  good: '4242 4242 4242 4242',
  refused: '4000 0000 0000 0002',
  declined: '4000 0000 0000 0341',
  onlyFirst: '4000 0000 0000 0705',
  recovers: '4000 0000 0000 0804',
} as const

/** Leaves a card on the provider's page, which then leads back to the store. */
export async function leaveCard(page: Page, number: string): Promise<void> {
  await page.waitForURL(/\/sandbox\//)
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry date').fill('12/39')
  await page.getByLabel('Security code').fill('123')
  await page.getByLabel('Name on card').fill('Sora Lee')
  await page.getByRole('button', { name: 'Save card' }).click()
}

/**
 * Chooses a plan of the comparison, agrees, and leaves a new card. Ends at the result, whatever it
 * is.
 */
export async function subscribe(page: Page, store: string, plan: string, number: string): Promise<void> {
  await page.goto(`${store}/plans`)
  await page.getByRole('link', { name: new RegExp(`^(Subscribe|Start free trial): ${plan}$`) }).click()
  await page.waitForURL(/\/plans\/[^/]+\/payment$/)
  await page.getByRole('radio').last().check()
  const consent = page.getByRole('checkbox')
  await expect(consent).not.toBeChecked()
  await consent.check()
  await page.getByRole('button', { name: /^(Pay .* and subscribe|Start free trial)/ }).click()
  await leaveCard(page, number)
  await page.waitForURL(/\/payment-result/)
}
