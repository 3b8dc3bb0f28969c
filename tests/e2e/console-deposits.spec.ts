import type { Page } from 'playwright/test'
import { axeViolationsInBoth, inDialog } from './axe'
import { enterConsole } from './console'
import { newMember, password } from './new-member'
import { expect, test } from './store'

const base = '/api/v1/customers/aurora'

/** Orders a film by bank transfer, by the API. Answers the order's code. */
const orderByTransfer = (page: Page, email: string) =>
  page.evaluate(
    async ([address, credentials]) => {
      const send = async (path: string, body?: object, token?: string) => {
        const headers = {
          'content-type': 'application/json',
          'idempotency-key': crypto.randomUUID(),
          ...(token && { authorization: `Bearer ${token}` }),
        }
        const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {}
        return (await fetch(address + path, { headers, ...sent })).json()
      }
      const { token } = await send('/login', credentials)
      const { id: productId } = await send('/new-products/blue-hour')
      const { items } = await send(`/products/${productId}/options`)
      const { order } = await send('/site-settings')
      const placed = await send(
        '/orders',
        { buyNow: { productId, optionId: items[0].id }, refundPolicyVersion: order.refundPolicy.version },
        token,
      )
      await send(`/orders/${placed.code}/payments`, { method: 'BANK', returnUrl: '/payments/result' }, token)
      return String(placed.code)
    },
    [base, { email, password }] as const,
  )

test('an order is marked as paid with a transfer, and what was paid too much is returned', async ({ page, store }) => {
  const at = store.at('aurora', '').replace(/\/$/, '')
  const email = await newMember(page, at)
  await page.goto(`${at}/faq`)
  const code = await orderByTransfer(page, email)

  await enterConsole(page, '/deposits')
  const main = page.getByRole('main')
  await page.getByLabel('Order number, name or email').fill(email)
  const row = page.getByRole('table', { name: 'Expected deposits' }).getByRole('row').filter({ hasText: code })
  await expect(row).toContainText('Sora Lee')
  expect(await axeViolationsInBoth(page)).toEqual([])
  await row.getByRole('button', { name: 'Mark as paid' }).click()
  const dialog = page.getByRole('dialog', { name: `Mark ${code} as paid` })
  const amount = dialog.getByLabel('Amount received')
  await amount.fill(String(Number(await amount.inputValue()) + 1))
  await dialog.getByLabel('Reference').fill(`Lee ${code}`)
  await expect(dialog).toContainText('$1.00 is to be returned to the member.')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await dialog.getByLabel('Reason').fill('Sent too much')
  await dialog.getByRole('button', { name: 'Mark as paid' }).click()
  await expect(dialog).toBeHidden()
  const surplus = main.getByRole('listitem').filter({ hasText: code })
  await expect(surplus).toContainText('More than the order costs')
  await surplus.getByRole('button', { name: 'Record return' }).click()
  const back = page.getByRole('dialog', { name: 'Record the return of $1.00' })
  await back.getByLabel('Reference').fill('Out 1')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await back.getByRole('button', { name: 'Record transfer' }).click()
  await expect(surplus).toHaveCount(0)

  await page.goto('/admin/deposits')
  await page.getByRole('link', { name: 'Received' }).click()
  const received = page.getByRole('table', { name: 'Received deposits' })
  await page.getByLabel('Order number, reference, name or email').fill(code)
  await expect(received.getByRole('row').filter({ hasText: code })).toContainText(`Lee ${code}`)
  await page.getByLabel('Amount to').fill('0.01')
  await page.getByLabel('Amount to').press('Enter')
  await expect(page.getByText('No deposit fits these filters.')).toBeVisible()
  await page.getByLabel('Amount to').fill('')
  await page.getByLabel('Amount to').press('Enter')
  expect(await axeViolationsInBoth(page)).toEqual([])
  const file = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export as CSV' }).click()
  expect((await file).suggestedFilename()).toMatch(/^deposits-.*\.csv$/)
  await received.getByRole('link', { name: code }).click()
  await expect(main).toContainText('Marked as paid')
  await expect(main).toContainText(`Lee ${code}`)
  await expect(main.getByRole('listitem').filter({ hasText: 'Unapplied payment refunded' })).toContainText('$1.00')
})

test('a payment that was marked by mistake is undone, unless a part of it was returned', async ({ page, store }) => {
  store.expected.push(/422/)
  const at = store.at('aurora', '').replace(/\/$/, '')
  const email = await newMember(page, at)
  await page.goto(`${at}/faq`)
  const code = await orderByTransfer(page, email)
  await enterConsole(page, `/orders/${code}`)
  const main = page.getByRole('main')
  const dialog = page.getByRole('dialog')
  const mark = async (reference: string, surplus = 0) => {
    await main.getByRole('button', { name: 'Mark as paid' }).click()
    const amount = dialog.getByLabel('Amount received')
    await amount.fill(String(Number(await amount.inputValue()) + surplus))
    await dialog.getByLabel('Reference').fill(reference)
    if (surplus > 0) await dialog.getByLabel('Reason').fill('Sent too much')
    await dialog.getByRole('button', { name: 'Mark as paid' }).click()
    await expect(dialog).toBeHidden()
  }
  const undo = async () => {
    await dialog.getByLabel('Reason').fill('The wrong order')
    await dialog.getByRole('button', { name: 'Undo payment' }).click()
  }
  await mark(`Lee ${code}`)
  await page.goto(`/admin/deposits?list=received&q=${code}`)
  // What is filtered is kept as a view of the received deposits.
  const row = page.getByRole('row').filter({ hasText: code })
  await main.getByRole('button', { name: 'Save view' }).click()
  await dialog.getByLabel('Name').fill(`Lee ${code}`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  const views = main.getByRole('navigation', { name: 'Saved views' })
  await views.getByRole('link', { name: 'All' }).click()
  await expect(main.getByLabel('Order number, reference, name or email')).toHaveValue('')
  await views.getByRole('link', { name: `Lee ${code}` }).click()
  await expect(main.getByLabel('Order number, reference, name or email')).toHaveValue(code)
  expect(await axeViolationsInBoth(page)).toEqual([])
  await row.getByRole('button', { name: 'Undo' }).click()
  await expect(dialog).toContainText('at the price it was placed for')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await undo()
  await expect(page.getByText('No deposit fits these filters.')).toBeVisible()

  await page.goto(`/admin/orders/${code}`)
  await expect(main).toContainText('Marked as paid by mistake')
  await mark(`Lee ${code}`, 1)
  await page.goto('/admin/deposits')
  await main.getByRole('listitem').filter({ hasText: code }).getByRole('button', { name: 'Record return' }).click()
  await dialog.getByLabel('Reference').fill(`Out ${code}`)
  await dialog.getByRole('button', { name: 'Record transfer' }).click()
  await expect(dialog).toBeHidden()
  await page.goto(`/admin/orders/${code}`)
  await main.getByRole('button', { name: 'Undo payment' }).click()
  await undo()
  await expect(dialog.getByRole('alert')).toContainText('What was received beyond the price was returned or used')
})
