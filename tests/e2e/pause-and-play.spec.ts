import type { Request } from 'playwright/test'
import { newMember } from './new-member'
import { playing, plays, watch } from './player'
import { expect, test } from './store'

const releases = (request: Request) => request.postData()?.includes('LEFT') ?? false
const requestsStream = (request: Request) => {
  const sent = request.postData() ?? ''
  return sent.includes('playId') && !sent.includes('positionSeconds')
}

test('playback resumes after a short pause: the stream is requested after its release', async ({ page, store }) => {
  await newMember(page, store.at('aurora', ''))
  await watch(page, '/products/and-so-on/watch')
  const resumed = page.waitForResponse((response) => requestsStream(response.request()))
  await page.keyboard.press('k')
  await resumed

  const releaseAnswer = Promise.withResolvers<void>()
  await page.route(/_serverFn/, async (route) => {
    if (releases(route.request())) await releaseAnswer.promise
    await route.continue()
  })
  const order: string[] = []
  page.on('response', (response) => releases(response.request()) && order.push('released'))
  page.on('request', (request) => requestsStream(request) && order.push('requested'))
  // The player waits for the answer for a while only, so that nothing else takes time before it.
  const releasing = page.waitForRequest(releases)
  await page.keyboard.press('k')
  await releasing
  const requested = page.waitForRequest(requestsStream)
  await page.keyboard.press('k')
  // While the answer is held, two frames are enough for a player that does not wait.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  expect(order).toEqual([])
  releaseAnswer.resolve()
  await expect.poll(async () => (await playing(page)).paused, { intervals: [50] }).toBe(false)
  await requested
  const { time } = await playing(page)
  await plays(page, 'time').toBeGreaterThan(time + 1)
  expect(order.slice(0, 2)).toEqual(['released', 'requested'])
})
