import type { Page } from 'playwright/test'

/** Moves the time of every store of this installation, and does what has come due day by day. */
export async function pass(page: Page, store: string, step: 'One day' | 'One week' | '31 days'): Promise<void> {
  await page.goto(`${store}/sandbox/clock`)
  await page.getByRole('button', { name: `${step} forward` }).click()
  await page.waitForLoadState()
}
