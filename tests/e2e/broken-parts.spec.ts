import { readFile } from 'node:fs/promises'
import { plays } from './player'
import { expect, test } from './store'

const film = '/products/for-everyone-we-miss/watch'

test('a segment that the browser cached incompletely is requested again without the cache', async ({ page, store }) => {
  test.slow()
  const requested: (string | undefined)[] = []
  await page.route('**/audio/seg_0002.m4s', async (route) => {
    requested.push((await route.request().allHeaders())['cache-control'])
    if (requested.length > 1) return route.continue()
    const whole = await readFile('demo/media/video/lanterns/audio/seg_0002.m4s')
    // As Chromium answers a download that broke off twice: a part of the file under the whole
    // file's headers.
    const headers = { 'content-type': 'video/iso.segment', 'content-length': `${whole.length}` }
    await route.fulfill({ body: whole.subarray(0, 9_000), headers })
  })
  await page.goto(store.at('aurora', film))
  await plays(page, 'time').toBeGreaterThan(5)
  expect(requested).toEqual([undefined, 'no-cache'])
})

test('a film starts although its first segment and its initialization fail together', async ({ page, store }) => {
  test.slow()
  store.expected.push(/net::ERR/)
  let failed = 0
  const isAbandoned = () => page.waitForEvent('requestfailed', (request) => request.url().endsWith('p/init.mp4'))
  // hls.js requests the initialization again twice, and then no segment by itself.
  const abandonedTwice = isAbandoned().then(isAbandoned)
  await page.route('**/*p/init.mp4', async (route) => {
    // The network is slow: the part is requested again while its answer is in transit.
    await abandonedTwice
    await route.continue().catch(() => {})
  })
  await page.route('**/*p/seg_0001.m4s', (route) => (failed++ < 1 ? route.abort('connectionreset') : route.continue()))
  await page.goto(store.at('aurora', film))
  await plays(page, 'time').toBeGreaterThan(1)
})

test('a film plays on after a part whose end is missing at the server as well', async ({ page, store }) => {
  test.slow()
  let served = 0
  await page.route('**/*p/seg_0002.m4s', async (route) => {
    if (served++ > 0) return route.continue()
    const path = new URL(route.request().url()).pathname
    const whole = await readFile(`demo/media/video/lanterns/${path.split('/').slice(-2).join('/')}`)
    // The browser waits for the rest, and takes all later parts for it.
    await route.fulfill({ body: whole.subarray(0, 9_000), headers: { 'content-type': 'video/iso.segment' } })
  })
  await page.goto(store.at('aurora', film))
  await plays(page, 'time').toBeGreaterThan(9)
  expect(served).toBeGreaterThan(1)
})

test('a film that plays is not interrupted because a part of its page cannot be loaded', async ({ page, store }) => {
  store.expected.push(/net::ERR|dynamically imported|could not be/)
  let pages = 0
  page.on('request', (request) => {
    pages += Number(request.isNavigationRequest())
  })
  const { promise: isPlaying, resolve: begin } = Promise.withResolvers<void>()
  const failed = page.waitForEvent('requestfailed', (request) => /assets\/(?:personal|members)-/.test(request.url()))
  await page.route(/assets\/(?:personal|members)-/, async (route) => {
    await isPlaying
    await route.abort('connectionreset')
  })
  await page.goto(store.at('aurora', film))
  await page.mouse.move(200, 200)
  // The film begins without the scripts of other pages.
  await plays(page, 'time').toBeGreaterThan(0.5)
  begin()
  await failed
  await plays(page, 'time').toBeGreaterThan(4)
  expect(pages).toBe(1)
})
