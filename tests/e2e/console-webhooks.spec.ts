import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { axeViolationsInBoth, inDialog } from './axe'
import { enterConsole } from './console'
import { expect, test, textShown } from './store'

interface Received {
  headers: IncomingHttpHeaders
  body: string
}

/** A program on this machine that receives webhooks and answers with a status. */
const openReceiver = async () => {
  const state = { status: 200, received: [] as Received[] }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += String(part)
    state.received.push({ headers: request.headers, body })
    response.writeHead(state.status).end(`answer ${state.status}`)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    state,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    close: () => server.close(),
  }
}

const signatureOf = (secret: string, { headers, body }: Received) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
    .digest('base64')}`

test('an endpoint is added, tested, disabled by its answer, enabled, replayed and deleted', async ({ page, store }, {
  retry,
}) => {
  const name = `Bookkeeping ${retry}`
  // The refused address.
  store.expected.push(/422/)
  const receiver = await openReceiver()
  await enterConsole(page, '/webhooks')
  const main = page.getByRole('main')
  await expect(main.getByRole('button', { name: 'Add endpoint' })).toBeVisible()

  await main.getByRole('button', { name: 'Add endpoint' }).click()
  const adding = page.getByRole('dialog', { name: 'Add endpoint' })
  await adding.getByLabel('Address').fill('http://10.0.0.1/hook')
  await adding.getByLabel('Description').fill(name)
  // No other test renews a subscription of this store, so that nothing but the test events is sent.
  await adding.getByLabel('Subscription renewed').check()
  await adding.getByRole('button', { name: 'Add endpoint' }).click()
  await expect(adding.getByText('Enter the address of a server on the public internet.')).toBeVisible()
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await adding.getByLabel('Address').fill(receiver.url)
  await adding.getByRole('button', { name: 'Add endpoint' }).click()

  const secretShown = page.getByRole('alertdialog', { name: 'Signing secret' })
  await expect(secretShown.locator('code')).toContainText('whsec_')
  const secret = await secretShown.locator('code').innerText()
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await secretShown.getByRole('button', { name: 'I have saved it' }).click()
  await expect(main.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(main).toContainText('Nothing was sent yet.')
  expect(await axeViolationsInBoth(page)).toEqual([])

  await main.getByRole('button', { name: 'Send test event' }).click()
  const rows = main.getByRole('table', { name: 'Deliveries' }).getByRole('row')
  await expect(rows.nth(1)).toContainText('Delivered')
  await expect(rows.nth(1)).toContainText('200')
  const [first] = receiver.state.received
  expect(first?.headers['webhook-signature']).toBe(signatureOf(secret, first!))

  receiver.state.status = 410
  await main.getByRole('button', { name: 'Send test event' }).click()
  await expect(rows.nth(1)).toContainText('410')
  await page.reload()
  await expect(main.getByText('The endpoint answered that it no longer exists')).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await rows.nth(1).getByRole('link').click()
  await expect(main).toContainText('answer 410')
  await expect(main).toContainText('webhook-signature: v1,')
  await expect(main).toContainText('"type": "webhook.test"')
  expect(await axeViolationsInBoth(page)).toEqual([])

  await main.getByRole('link', { name: 'All deliveries' }).click()
  await main.getByRole('button', { name: 'Enable' }).click()
  receiver.state.status = 200
  const exported = page.waitForEvent('download')
  await main.getByRole('link', { name: 'Export as CSV' }).click()
  expect((await exported).suggestedFilename()).toMatch(/^webhook-deliveries-.*\.csv$/)
  await main.getByRole('button', { name: 'Replay failed' }).click()
  const replaying = page.getByRole('dialog', { name: 'Replay failed deliveries' })
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await replaying.getByRole('button', { name: 'Replay' }).click()
  await expect(rows.nth(1)).toContainText('Delivered')
  await rows.nth(1).getByRole('link').click()
  await expect(main.getByText('answer 200')).toBeVisible()
  await expect(main.getByText('answer 410')).toBeVisible()
  await main.getByRole('button', { name: 'Replay' }).click()
  await expect(main.getByText('answer 200')).toHaveCount(2)
  const [, ...again] = receiver.state.received
  expect(new Set(again.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).toBe(1)

  await main.getByRole('link', { name: 'All deliveries' }).click()
  await main.getByLabel('Status').selectOption('Failed')
  await expect(main.getByText('No delivery has this status.')).toBeVisible()
  await main.getByRole('button', { name: 'Edit' }).click()
  const editing = page.getByRole('dialog', { name: 'Edit endpoint' })
  await expect(editing.getByLabel('Subscription renewed')).toBeChecked()
  await editing.getByLabel('Order refunded').check()
  // The dialog stays until the page has the version that was saved, for whoever acts next.
  const reload = Promise.withResolvers<void>()
  const isEndpoint = (url: URL) => /\/admin\/webhooks\/[^/]+$/.test(url.pathname)
  await page.route(isEndpoint, async (route) => {
    if (route.request().method() === 'GET') await reload.promise
    await route.continue()
  })
  const saved = textShown(page, 'Endpoint saved')
  await editing.getByRole('button', { name: 'Save' }).click()
  await saved
  await expect(editing).toBeVisible()
  reload.resolve()
  await expect(editing).toBeHidden()
  await page.unroute(isEndpoint)
  await main.getByRole('button', { name: 'Replace secret' }).click()
  await page
    .getByRole('alertdialog', { name: /Replace/ })
    .getByRole('button', { name: 'Replace secret' })
    .click()
  await expect(secretShown.locator('code')).toContainText('whsec_')
  expect(await secretShown.locator('code').innerText()).not.toBe(secret)
  await secretShown.getByRole('button', { name: 'I have saved it' }).click()
  await expect(main).toContainText('Former secret valid until')
  await main.getByRole('button', { name: 'Disable' }).click()
  await expect(main.getByText('Disabled', { exact: true })).toBeVisible()

  await main.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog', { name: /Delete/ })
  const word = (await question.getByText(/^Type .+ to confirm$/).innerText()).split(' ')[1] ?? ''
  await question.getByRole('textbox').fill(word)
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(main.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeVisible()
  await expect(main.getByRole('link', { name })).toBeHidden()
  receiver.close()
})
