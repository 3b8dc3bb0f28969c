import { enterConsole, signedOut } from './console'
import { expect, test } from './store'

test('what happens elsewhere is shown without a reload', async ({ page, context, store }) => {
  store.expected.push(signedOut)
  const stream = page.waitForResponse(/\/admin\/changes$/)
  await enterConsole(page, '/mails')
  const rows = page.getByRole('table').getByRole('row')
  expect((await stream).headers()['content-type']).toBe('text/event-stream')

  const address = `live-${Date.now()}@example.com`
  const elsewhere = await context.newPage()
  await elsewhere.goto(page.url())
  await elsewhere.getByRole('button', { name: 'Send a test email' }).click()
  const dialog = elsewhere.getByRole('dialog', { name: 'Send a test email' })
  await dialog.getByLabel('Email').fill(address)
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(rows.filter({ hasText: address })).toBeVisible()
})
