import { roughProxy } from '#tests/support/rough-proxy.ts'
import { moveTo, playing, plays } from './player'
import { expect, test } from './store'

/** A little more than the film needs at its best, so that it is on the edge all the time. */
const rough = {
  ...{ bytesPerSecond: 60_000, delayMilliseconds: 120, cutAfterBytes: 160_000, silentOneIn: 12 },
  ...{ outageEverySeconds: 7, outageSeconds: 2.5 },
}

test('a film is played to its end through a network that is slow, falls silent, cuts off and goes away', async ({
  page,
  store,
  baseURL,
}) => {
  test.slow()
  store.expected.push(/Failed to load resource|net::ERR/)
  await using proxy = await roughProxy(Number(new URL(baseURL!).port), rough)
  // Rough from the stream's first byte on: how the page comes is another matter.
  page.on('request', (request) => request.url().endsWith('/master.m3u8') && proxy.begin())
  await page.goto(`http://aurora.localhost:${proxy.port}/products/for-everyone-we-miss/watch`)
  // A line that falls silent at the very beginning is noticed after eight seconds, and then asked again.
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
      { timeout: 90_000, intervals: [200] },
    )
    .toBeGreaterThan(23)
  expect(stopped).toBe(false)
  const { cuts, outages } = proxy.read()
  expect(cuts + outages).toBeGreaterThan(2)
  await moveTo(page, 2)
  await plays(page, 'time').toBeLessThan(10)
})
