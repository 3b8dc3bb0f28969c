import { DEMO_EMAIL, DEMO_PASSWORD } from '#demo/seed/accounts.ts'
import { enterConsole } from './console'
import { expect, test } from './store'

test('what happens elsewhere is shown without a reload', async ({ page, context }) => {
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

  // So are lists: an inquiry that a member sends.
  await page.getByRole('link', { name: 'Inquiries' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Inquiries' })).toBeVisible()
  const title = `Live ${Date.now()}`
  await elsewhere.evaluate(
    async ([email, password, title]) => {
      const send = async (path: string, body: object, token = '') => {
        const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
        const init = { method: 'POST', headers, body: JSON.stringify(body) }
        const answer = await fetch(`/api/v1/customers/aurora${path}`, init)
        if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
        return answer.json()
      }
      const { token } = await send('/login', { email, password })
      await send('/inquiries', { type: 'ETC', title, body: 'Lesson 2 plays without sound.' }, token)
    },
    [DEMO_EMAIL, DEMO_PASSWORD, title] as const,
  )
  await expect(rows.filter({ hasText: title })).toBeVisible()
})
