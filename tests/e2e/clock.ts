import { expect, type Page } from 'playwright/test'
import { callApi } from './requests'

const steps = { 'One day': 'day', 'One week': 'week', '31 days': 'month' } as const

/**
 * Moves the time of every store of this installation, and does what has come due day by day. Leaves
 * the page, which would see its session end.
 */
export async function pass(page: Page, store: string, step: keyof typeof steps): Promise<void> {
  await page.goto('about:blank')
  const form = new URLSearchParams({ step: steps[step] })
  // The answer ends when all is done.
  const { status, text } = await callApi(page, store, '/sandbox/clock', form)
  expect(status, text).toBe(200)
}
