import type { Page } from 'playwright/test'
import { axeViolations } from './axe'
import { closeModal, openModal } from './conformance-page'
import { expect, test, textShown } from './store'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

/**
 * The title of each modal about an order, and its text for an opened order that was paid long ago.
 */
const orderModals = [
  { name: 'orderRequestCancel', title: 'Cancel or refund' },
  { name: 'orderBankInfo', title: 'Pay by bank transfer', says: 'is no longer awaiting a transfer' },
  { name: 'orderFailedInfo', title: 'Payment details', says: 'didn’t fail' },
  { name: 'orderCancelInfo', title: 'Refund details' },
]

/** The code of an order of the member, as their list names it. */
async function someOrder(page: Page) {
  const href = await page
    .getByRole('main')
    .locator('a[href^="/mypages/order-histories/2"]')
    .first()
    .getAttribute('href')
  return href!.split('/').at(-1)!
}

test('the modals of an order open by their events, are 440 px wide, and are cleared a second after closing', async ({
  page,
  store,
}) => {
  store.expected.push(/404/)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await store.signIn('member@example.com')
  await page.goto('/mypages/order-histories')
  const code = await someOrder(page)
  for (const { name, title, says } of orderModals) {
    await openModal(page, { name, visible: true, data: { code } })
    const modal = page.getByRole('dialog', { name: title })
    await expect(modal).toContainText(code)
    if (says) await expect(modal).toContainText(says)
    expect(Math.round((await modal.boundingBox())!.width), name).toBe(440)
    expect(await axeViolations(page, { within: '[role=dialog]' }), name).toEqual([])

    await closeModal(page, name)
    await expect(modal).toHaveCount(0)
    // Opened for another order at once, it shows nothing of the one before.
    await openModal(page, { name, visible: true, data: { code: '20200101-AAAAAA' } })
    await expect(modal).toContainText('Order not found.')
    await expect(modal).not.toContainText(code)
    await closeModal(page, name)
    await expect(modal).toHaveCount(0)
  }
})

test('a modal of an order shows an error when its event has none', async ({ page, store }) => {
  await store.signIn('member@example.com')
  await page.goto('/mypages/order-histories')
  for (const { name, title } of orderModals) {
    await openModal(page, { name, visible: true, data: { code: 'nothing like it' } })
    await expect(page.getByRole('dialog', { name: title })).toContainText('Order not found.')
    await closeModal(page, name)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test('a modal that does not exist shows a toast and opens nothing', async ({ page }) => {
  await page.goto('/faq')
  await page.waitForLoadState('networkidle')
  const shown = textShown(page, 'modal component loading error')
  await openModal(page, { name: 'orderNothing', visible: true, data: {} })
  await shown
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
