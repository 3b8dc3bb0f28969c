import type { Page } from 'playwright/test'
import { drippingProxy } from '#tests/support/dripping-proxy.ts'
import { playing, plays, watch } from './player'
import { expect, test } from './store'

const film = '/products/for-everyone-we-miss/watch'
const segment = /\/m\/.*\/seg_\d+\.m4s$/
const away = { status: 503, headers: { 'retry-after': '5', 'cache-control': 'no-store' } }

test('a short outage of the storage only pauses the film', async ({ page, store }) => {
  store.expected.push(/503/)
  let refused = 0
  // At the beginning, so that there is nothing to show yet, and once more where nothing of what
  // follows is loaded.
  await page.route(segment, (route) => (++refused <= 4 ? route.fulfill(away) : route.continue()))
  await watch(page, film)
  expect(refused).toBeGreaterThan(4)
  await expect(page.locator('[data-player]').getByRole('alert')).toHaveCount(0)

  let refusedLater = 0
  await page.unroute(segment)
  await page.route(segment, (route) => (++refusedLater <= 4 ? route.fulfill(away) : route.continue()))
  await page.reload()
  await expect.poll(() => refusedLater).toBeGreaterThan(0)
  await page.getByRole('button', { name: /^Quality and speed/ }).click()
  await expect(page.getByRole('menuitemradio', { name: /^Auto/ })).toBeChecked()
  await expect(page.getByRole('menu')).toBeFocused()
  await page.keyboard.press('Escape')
  await plays(page, 'time').toBeGreaterThan(0.2)
  expect((await playing(page)).height).toBeGreaterThan(0)
  await expect(page.locator('[data-player]').getByRole('alert')).toHaveCount(0)
})

/** The page's clock goes on once what was sent before is there: this comes on the same way. */
const bytesArrive = (page: Page) =>
  page.evaluate(async () => (await fetch('/builds/latest.json', { cache: 'no-store' })).text())

/**
 * Advances the page's clock faster than time until the condition holds. Answers the seconds passed
 * on it.
 */
const secondsUntil = async (page: Page, isThere: () => Promise<boolean>) => {
  const now = () => page.evaluate(() => performance.now() / 1000)
  const before = await now()
  await expect
    .poll(
      async () => {
        await bytesArrive(page)
        await page.clock.runFor(1_000)
        return isThere()
      },
      { intervals: [50], timeout: 180_000 },
    )
    .toBe(true)
  return (await now()) - before
}

test('a long outage of the storage is shown soon and fails after half a minute, with a retry', async ({
  page,
  store,
}) => {
  store.expected.push(/503/)
  await page.clock.install()
  await page.route(segment, (route) => route.fulfill(away))
  const refused = page.waitForResponse((response) => segment.test(response.url()))
  await page.goto(film)
  await refused
  const player = page.locator('[data-player]')
  const isSpokenOf = () => player.getByText('The video is taking a while to load. Still trying…').isVisible()
  const spoken = await secondsUntil(page, isSpokenOf)
  // Each answer takes a moment, which is long at this pace.
  expect(spoken).toBeLessThan(20)
  const failure = player.getByRole('alert')
  const failed = spoken + (await secondsUntil(page, () => failure.isVisible()))
  expect(failed).toBeGreaterThan(25)
  expect(failed).toBeLessThan(90)
  await expect(failure).toHaveText(/The connection to the video was lost\./)

  await page.unroute(segment)
  await failure.getByRole('button', { name: 'Try again' }).click()
  await plays(page, 'time').toBeGreaterThan(0.2)
})

test('a film that loads slowly plays without an error', async ({ page, store }) => {
  store.expected.push(/net::ERR/)
  const there = new URL(store.at('aurora', film))
  await using proxy = await drippingProxy(Number(there.port), (path) => segment.test(path))
  there.port = String(proxy.port)
  await page.clock.install()
  const first = page.waitForRequest((request) => segment.test(request.url()))
  await page.goto(there.href)
  await first
  const player = page.locator('[data-player]')
  let saysStillTrying = false
  for (let drips = 0; drips < 20; drips++) {
    proxy.drip()
    await bytesArrive(page)
    await page.clock.runFor(2_000)
    // Bytes that arrive may hide it for a moment.
    saysStillTrying ||= await player.getByText('Still trying').isVisible()
  }
  expect(saysStillTrying).toBe(true)
  await expect(player.getByRole('alert')).toHaveCount(0)
  expect((await playing(page)).time).toBe(0)
  proxy.open()
  await plays(page, 'time').toBeGreaterThan(0.2)
})
