import type { Page } from 'playwright/test'
import { roughProxy } from '#tests/support/rough-proxy.ts'
import { buyFilm } from './buy-film'
import { newMember } from './new-member'
import { moveTo, playing, plays } from './player'
import { expect, test } from './store'

/** A little more than the film needs at its best, so that it is on the edge all the time. */
const rough = {
  bytesPerSecond: 60_000,
  delayMilliseconds: 120,
  cutAfterBytes: 160_000,
  silentOneIn: 12,
  outageEverySeconds: 7,
  outageSeconds: 2.5,
}

/**
 * Plays a film of 24 seconds to its end, with a faulty network from the stream's first byte on.
 */
const playThrough = async (page: Page, store: string, film: string) => {
  await using proxy = await roughProxy(Number(new URL(store).port), rough)
  // How the page comes is another matter.
  page.on('request', (request) => request.url().endsWith('/master.m3u8') && proxy.begin())
  const there = new URL(film, store)
  there.port = String(proxy.port)
  await page.goto(there.href)
  // A bought film begins when the member confirms it.
  const start = page.getByRole('button', { name: 'Start watching' })
  if (await start.isVisible()) await start.click()
  // A connection that stalls at the very beginning is detected after eight seconds and retried.
  await expect.poll(async () => (await playing(page)).time, { timeout: 60_000 }).toBeGreaterThan(0.3)
  const failure = page.locator('[data-player]').getByRole('alert')
  let [furthest, stopped] = [0, false]
  await expect
    .poll(
      async () => {
        stopped ||= await failure.isVisible()
        furthest = Math.max(furthest, (await playing(page)).time)
        return stopped || furthest
      },
      { timeout: 180_000, intervals: [200] },
    )
    .toBeGreaterThan(23)
  expect(stopped).toBe(false)
  const { cuts, outages } = proxy.read()
  expect(cuts + outages).toBeGreaterThan(2)
  await moveTo(page, 2)
  await plays(page, 'time').toBeLessThan(10)
}

test.beforeEach(({ store }) => {
  test.slow()
  store.expected.push(/Failed to load resource|net::ERR/)
})

test('a film plays to its end over a network that is slow, stalls, disconnects and fails', async ({ page, store }) => {
  await playThrough(page, store.at('aurora', ''), '/products/for-everyone-we-miss/watch')
})

test('a bought film, whose stream is requested repeatedly, plays to its end as well', async ({ page, store }) => {
  const aurora = store.at('aurora', '')
  await newMember(page, aurora)
  await buyFilm(page, aurora, 'turning-tiles')
  await playThrough(page, aurora, '/products/turning-tiles/watch')
})
