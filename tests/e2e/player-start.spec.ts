import type { Page, Request, Response } from 'playwright/test'
import { newMember } from './new-member'
import { plays } from './player'
import { expect, hydrated, test } from './store'

const film = '/products/and-so-on'

const isWrite = (request: Request) => request.method() === 'POST' && request.url().includes('/_serverFn/')
const givesBack = (request: Request) => isWrite(request) && (request.postData()?.includes('LEFT') ?? false)
const isStream = async (response: Response) =>
  isWrite(response.request()) && (await response.text().catch(() => '')).includes('master.m3u8')

/** Delays the script of the player's page. */
async function holdPlayer(page: Page) {
  const gate = Promise.withResolvers<void>()
  await page.route(/_code_\.watch[^/]*\.js$/, async (route) => {
    await gate.promise
    await route.continue().catch(() => {})
  })
  return gate.resolve
}

test('the press on the link requests the stream once, before the player is loaded', async ({ page, store }) => {
  await newMember(page, store.at('aurora', ''))
  const release = await holdPlayer(page)
  await page.goto(film)
  const answers: Promise<boolean>[] = []
  page.on('response', (response) => answers.push(isStream(response)))
  const answered = page.waitForResponse(isStream)
  await page.getByRole('link', { name: 'Watch now' }).click()
  await answered
  await expect(page.locator('[data-player]')).toHaveCount(0)

  release()
  await plays(page, 'time').toBeGreaterThan(0.2)
  expect((await Promise.all(answers)).filter(Boolean)).toHaveLength(1)
})

test('a prefetched stream without a player is released', async ({ page, store }) => {
  await newMember(page, store.at('aurora', ''))
  await holdPlayer(page)
  await page.goto(film)
  const answered = page.waitForResponse(isStream)
  await page.getByRole('link', { name: 'Watch now' }).click()
  await answered
  const answer = await page.waitForResponse((response) => givesBack(response.request()))
  expect(answer.status()).toBe(200)
})

test('the player is prefetched on pages that link to it, unless data are saved', async ({ page, store, browser }) => {
  const engine = /\/assets\/hls-[^/]+\.js$/
  const fetched = page.waitForRequest(engine)
  await page.goto('/products/for-everyone-we-miss')
  await fetched

  const sparing = await browser.newContext()
  await sparing.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
  const other = await sparing.newPage()
  const requested: string[] = []
  other.on('request', (request) => engine.test(request.url()) && requested.push(request.url()))
  await other.goto(store.at('aurora', '/products/for-everyone-we-miss'), { waitUntil: 'networkidle' })
  expect(requested).toEqual([])
  await hydrated(other)
  const link = other.getByRole('link', { name: 'Watch now' })
  const engineRequest = other.waitForRequest(engine)
  await link.hover()
  await engineRequest
  await sparing.close()
})
