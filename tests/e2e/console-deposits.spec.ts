import type { Page } from 'playwright/test'
import { axeViolationsInBoth, inDialog } from './axe'
import { enterConsole } from './console'
import { newMember, password } from './new-member'
import { callApi } from './requests'
import { expect, test } from './store'

const base = '/api/v1/customers/aurora'

/** Orders a film by bank transfer, by the API. Answers the order's code. */
const orderByTransfer = (page: Page, email: string, film = 'blue-hour') =>
  page.evaluate(
    async ([address, credentials, product]) => {
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
      const { id: productId } = await send(`/new-products/${product}`)
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
    [base, { email, password }, film] as const,
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

test('a payment is used for another order, a refund without an account is transferred, and an order is canceled', async ({
  page,
  store,
}) => {
  const at = store.at('aurora', '').replace(/\/$/, '')
  const email = await newMember(page, at)
  await page.goto(`${at}/faq`)
  const [first, second] = [await orderByTransfer(page, email), await orderByTransfer(page, email, 'salt')]
  await enterConsole(page, `/orders/${first}`)
  const main = page.getByRole('main')
  const dialog = page.getByRole('dialog')
  await main.getByRole('button', { name: 'Mark as paid' }).click()
  const amount = dialog.getByLabel('Amount received')
  await amount.fill(String(Number(await amount.inputValue()) + 500))
  await dialog.getByLabel('Reference').fill(`Both ${first}`)
  await dialog.getByLabel('Reason').fill('One transfer for two')
  await dialog.getByRole('button', { name: 'Mark as paid' }).click()
  await expect(dialog).toBeHidden()

  await page.goto('/admin/deposits')
  const surplus = main.getByRole('listitem').filter({ hasText: first })
  await surplus.getByRole('button', { name: 'Use for an order' }).click()
  // Proposed because it is the order of the same member.
  await expect(dialog.getByLabel('Order', { exact: true })).toHaveValue(second)
  await dialog.getByLabel('Find an order: number, name or email').fill('nobody-has-this')
  await expect(dialog.getByRole('button', { name: 'Use for this order' })).toBeDisabled()
  await expect(dialog).toContainText('No order fits this search.')
  await dialog.getByLabel('Find an order: number, name or email').fill(second)
  await expect(dialog.getByLabel('Order', { exact: true })).toHaveValue(second)
  await dialog.getByLabel('Reason').fill('For the second film')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await dialog.getByRole('button', { name: 'Use for this order' }).click()
  await expect(dialog).toBeHidden()
  await page.goto(`/admin/orders/${second}`)
  await expect(main.getByText('Paid', { exact: true }).first()).toBeVisible()

  // The provider would refund it to an account that the member does not give.
  const third = await orderByTransfer(page, email, 'window-4b')
  await page.goto(`/admin/orders/${third}`)
  await main.getByRole('button', { name: 'Cancel order' }).click()
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await dialog.getByLabel('Reason').fill('Asked by phone')
  await dialog.getByRole('button', { name: 'Cancel order' }).click()
  await expect(dialog).toBeHidden()
  await expect(main.getByText('Canceled', { exact: true }).first()).toBeVisible()
  await expect(main).toContainText('Canceled by the store')
  await expect(main).toContainText('Asked by phone')
  await expect(main.getByRole('button', { name: 'Cancel order' })).toHaveCount(0)

  const fourth = await orderByTransfer(page, email, 'window-4b')
  await page.goto(`/admin/orders/${fourth}`)
  await expect(main).toContainText('Account for the deposit issued')
  const [, account = ''] = /(\d{4}-\d{4}-\d{6})/.exec(await main.innerText()) ?? []
  const [, price = ''] = /Total\s+\$(\d+\.\d\d)/.exec(await main.innerText()) ?? []
  const transfer = { account, action: 'deposit', amount: price, when: 'now', fault: 'NONE' }
  expect((await callApi(page, at, '/sandbox/bank', new URLSearchParams(transfer))).status).toBeLessThan(400)
  await expect(async () => {
    await page.reload()
    await main.getByRole('button', { name: 'Refund' }).click({ timeout: 2000 })
  }).toPass()
  await dialog.getByLabel('Reason').fill('Broken sound')
  await dialog.getByRole('button', { name: /^Refund \$/ }).click()
  await expect(dialog).toBeHidden()
  await expect(main).toContainText('The member is asked for a bank account.')
  await expect(main.getByRole('button', { name: 'Refund' })).toHaveCount(0)
  await page.goto('/admin/deposits')
  await main.getByRole('listitem').filter({ hasText: fourth }).getByRole('button', { name: 'Record transfer' }).click()
  await expect(dialog).toContainText('As soon as the member gives an account')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await dialog.getByLabel('Reference').fill(`Out ${fourth}`)
  await dialog.getByRole('button', { name: 'Record transfer' }).click()
  await expect(dialog).toBeHidden()
  await page.goto(`/admin/orders/${fourth}`)
  await expect(main.getByText('Refunded', { exact: true }).first()).toBeVisible()
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
