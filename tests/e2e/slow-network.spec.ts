import { once } from 'node:events'
import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright/test'
import { cookieOf } from './conformance-page'
import { expect, test } from './store'

/**
 * A slow device, and a visitor who clicks the link as soon as the frame answers, while the page
 * within it does not yet.
 */
async function clickWhileHydrating(page: Page, path: string, link: string, delay: number) {
  const device = await page.context().newCDPSession(page)
  await device.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  const clicked = page.waitForEvent('console', (message) => message.text() === 'The link is clicked.')
  await page.addInitScript(
    ([selector, milliseconds]) => {
      const taken = (element: Element | null) =>
        element && Object.keys(element).some((key) => key.startsWith('__react'))
      const waiting = setInterval(() => {
        if (!taken(document.querySelector('main'))) return
        clearInterval(waiting)
        window.setTimeout(() => {
          document.querySelector<HTMLElement>(selector)?.click()
          console.debug('The link is clicked.')
        }, milliseconds)
      })
    },
    [link, delay] as const,
  )
  await page.goto(path, { waitUntil: 'commit' })
  await clicked
  // What follows need not be slow.
  await device.send('Emulation.setCPUThrottlingRate', { rate: 1 })
}

// React's progress after a given time varies: each delay is between the frame and the whole page.
for (const delay of [0, 40, 80, 120]) {
  test(`a link followed ${delay} ms after the frame answers opens its page`, async ({ page }) => {
    await clickWhileHydrating(page, '/faq', 'footer a[href="/notices"]', delay)
    await expect(page.getByRole('main').getByRole('heading', { level: 1, name: 'Notices' })).toBeVisible()
  })

  test(`a language chosen ${delay} ms after the frame answers applies to the whole page`, async ({ page }) => {
    await clickWhileHydrating(page, '/faq', 'footer a[hreflang="ko"]', delay)
    await expect(page.locator('html')).toHaveAttribute('lang', 'ko')
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveText(/[가-힣]/)
  })
}

test('a page scrolled before its scripts run stays where it is', async ({ page }) => {
  const { promise: scrolled, resolve: letScriptsRun } = Promise.withResolvers<void>()
  await page.route(/\/assets\/.*\.js/, async (route) => {
    await scrolled
    await route.continue()
  })
  const loaded = page.goto('/products')
  await expect(page.getByRole('contentinfo')).toBeAttached()
  await page.evaluate(() => scrollTo(0, 500))
  letScriptsRun()
  await loaded
  expect(await page.evaluate(() => scrollY)).toBe(500)

  // Pressed where it is, without scrolling to it.
  await page.getByRole('contentinfo').getByRole('link', { name: 'FAQ' }).dispatchEvent('click')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('FAQ')
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  await page.goBack()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(500)
})

/** The store behind a line that is slow in one direction: what is sent to it arrives late. */
async function slowLine(store: URL, milliseconds: number) {
  const line = createServer(async (request, response) => {
    if (request.method === 'POST') await setTimeout(milliseconds)
    const { port } = store
    const onward = ask({ port, path: request.url, method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    request.pipe(onward.on('error', () => response.destroy()))
  })
  await once(line.listen(0, '127.0.0.1'), 'listening')
  const { port } = line.address() as AddressInfo
  return { address: `${store.protocol}//${store.hostname}:${port}`, close: () => line.close() }
}

test('an item added just before leaving the page is in the cart', async ({ page, baseURL }) => {
  const line = await slowLine(new URL(baseURL!), 1_000)
  await page.goto(`${line.address}/products/blue-hour`)
  const requested = page.waitForRequest((request) => /optionId/.test(request.postData() ?? ''))
  await page.getByRole('button', { name: 'Add to cart' }).first().click()
  await requested
  await page.goto(`${line.address}/faq`)
  await expect.poll(async () => (await cookieOf(page, 'guest')) !== undefined).toBe(true)
  await page.reload()
  await expect(page.getByRole('link', { name: 'Cart, 1 item' })).toBeVisible()
  line.close()
})
