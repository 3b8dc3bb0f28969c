import { playing, plays, watch } from './player'
import { expect, test } from './store'

const film = '/products/for-everyone-we-miss/watch'
const segment = /\/m\/.*\/seg_\d+\.m4s$/
const away = { status: 503, headers: { 'retry-after': '5', 'cache-control': 'no-store' } }

test('a storage that is away for a moment makes the film wait, and nothing else', async ({ page, store }) => {
  store.expected.push(/503/)
  let refused = 0
  // At the beginning, so that there is nothing to show yet, and once more where nothing of what follows is loaded.
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
  await expect(page.getByRole('menuitemradio', { name: /^Automatic/ })).toBeChecked()
  await page.keyboard.press('Escape')
  await plays(page, 'time').toBeGreaterThan(0.2)
  expect((await playing(page)).height).toBeGreaterThan(0)
  await expect(page.locator('[data-player]').getByRole('alert')).toHaveCount(0)
})
