import type { Browser, BrowserContext, Page } from 'playwright/test'
import { enter, newMember } from './new-member'
import { expect, secondsPlayed, test } from './store'

/** What each member of the school may watch: one stream at a time, on three devices, with a watermark. */
const [lamp, brush] = ['/products/lamp-before-sleep/watch', '/products/brush-breathing/watch']

/** An address that has ended, or a stream that was taken over, answers 403; the browser says so in its console. */
const refusals = /status of (403|401|409)/

const schoolOf = (store: { at: (tenant: string, path?: string) => string }) => store.at('hangang').replace(/\/$/, '')

/** It begins by itself; slowly, so that 24 seconds of film outlast what happens meanwhile. */
const play = async (page: Page) => {
  await expect.poll(() => secondsPlayed(page)).toBeGreaterThan(0.5)
  await page.locator('video').evaluate((video: HTMLVideoElement) => {
    video.playbackRate = 0.25
  })
}

/** Another device of the same member, at a page. */
const otherDevice = async (browser: Browser, store: string, email: string, device: string, path: string) => {
  const context = await browser.newContext({ userAgent: device })
  const page = await context.newPage()
  await enter(page, store, email)
  await page.goto(store + path)
  return { context, page }
}

// Two browsers play, on machines that do other things as well.
test.setTimeout(240_000)

const tablet = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'
const refused = (page: Page) => page.locator('[data-refused]')
const isPlaying = (page: Page) => page.locator('video').evaluate((video: HTMLVideoElement) => !video.paused)

test('a second device is told what plays where, goes on by keyboard, and can be taken back from', async ({
  page,
  browser,
  store,
}) => {
  store.expected.push(refusals)
  const school = schoolOf(store)
  const email = await newMember(page, school)
  await page.goto(school + lamp)
  await play(page)

  const other = await otherDevice(browser, school, email, tablet, brush)
  await expect(refused(other.page)).toContainText(/Playing on Chrome on Linux\./)
  await expect(refused(other.page)).toContainText('Continue here?')
  await expect(other.page.getByRole('button', { name: 'Continue here' })).toBeFocused()
  await other.page.keyboard.press('Enter')
  await play(other.page)
  await expect(refused(other.page)).toHaveCount(0)

  await expect(refused(page)).toContainText('Playing on Chrome on Android.')
  await page.getByRole('button', { name: 'Continue here' }).click()
  await expect.poll(() => secondsPlayed(page)).toBeGreaterThan(0.5)
  await expect(refused(other.page)).toContainText(/Playing on Chrome on Linux\./)
  await other.context.close()
})

test('what is paused makes room without a word, and asks again when it goes on', async ({ page, browser, store }) => {
  store.expected.push(refusals)
  const school = schoolOf(store)
  const email = await newMember(page, school)
  await page.goto(school + lamp)
  await play(page)
  const left = page.waitForResponse((response) => response.request().postData()?.includes('LEFT') ?? false)
  await page.keyboard.press('k')
  await left
  const other = await otherDevice(browser, school, email, tablet, brush)
  await play(other.page)
  await expect(refused(other.page)).toHaveCount(0)

  await page.keyboard.press('k')
  await expect(refused(page)).toContainText('Playing on Chrome on Android.')
  // Closing the other one is enough.
  await other.page.goto(`${school}/`)
  await page.getByRole('button', { name: 'Continue here' }).click()
  await expect.poll(() => isPlaying(page)).toBe(true)
  await other.context.close()
})

test('what is taken up again goes on although the network takes a moment to come back', async ({ page, store }) => {
  store.expected.push(refusals, /Failed to load resource|net::ERR/)
  const school = schoolOf(store)
  await newMember(page, school)
  await page.goto(school + lamp)
  await play(page)
  const left = page.waitForResponse((response) => response.request().postData()?.includes('LEFT') ?? false)
  await page.keyboard.press('k')
  await left
  const stood = () =>
    page.locator('video').evaluate((video: HTMLVideoElement) => [video.src, video.currentTime] as const)
  const [source, seconds] = await stood()
  const asked: string[] = []
  await page.route(
    () => true,
    (route) => {
      const said = route.request().postData() ?? ''
      // Whoever asks for the place again names the play, but no position.
      if (!said.includes('playId') || said.includes('positionSeconds')) return route.continue()
      asked.push(said)
      if (asked.length === 1) return route.abort()
      return asked.length === 2 ? route.fulfill({ status: 503 }) : route.continue()
    },
  )
  await page.keyboard.press('k')
  await expect.poll(() => asked.length).toBe(2)
  expect(await stood()).toEqual([source, expect.any(Number)])
  await expect.poll(() => asked.length).toBe(3)
  await expect.poll(async () => (await stood())[1]).toBeGreaterThan(seconds + 1)
  expect((await stood())[0]).toBe(source)
  await expect(page.locator('[data-player]').getByRole('alert')).toHaveCount(0)
})

test('whoever signs out elsewhere is told in the player why it stopped', async ({ page, store, context }) => {
  store.expected.push(refusals)
  const school = schoolOf(store)
  await newMember(page, school)
  await page.goto(school + lamp)
  await play(page)
  await leave(context, school)
  await expect(refused(page)).toContainText('You’re signed out. Sign in to keep watching.')
  await expect(refused(page).getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', /redirect=.*watch/)
})

/** Signs out in another tab. */
const leave = async (context: BrowserContext, store: string) => {
  const tab = await context.newPage()
  await tab.goto(store)
  await tab.evaluate(() => fetch('/api/cancel-approval'))
  await tab.close()
}

test('the mark stands in the picture, in full screen too, is not read out and comes back when it is taken out', async ({
  page,
  store,
}) => {
  const school = schoolOf(store)
  const email = await newMember(page, school)
  await page.goto(school + lamp)
  await play(page)
  const mark = page.locator('[data-watermark]')
  await expect(mark).toContainText(new RegExp(`^${email.slice(0, 2)}••• {2}[0-9A-F]{8}$`))
  await expect(mark).toHaveAttribute('aria-hidden', 'true')
  const lies = () =>
    page.locator('[data-player]').evaluate((player) => {
      const [outer, inner] = [player, player.querySelector('[data-watermark]')!].map((e) => e.getBoundingClientRect())
      const within = inner!.left >= outer!.left && inner!.right <= outer!.right + 1 && inner!.top >= outer!.top
      return { within, aboveCaptions: inner!.bottom < outer!.top + outer!.height * 0.75, width: inner!.width > 40 }
    })
  expect(await lies()).toEqual({ within: true, aboveCaptions: true, width: true })
  await mark.evaluate((element) => element.remove())
  await expect(mark).toBeVisible()
  await mark.evaluate((element: HTMLElement) => element.style.setProperty('display', 'none', 'important'))
  await expect(mark).toBeVisible()
  await page.keyboard.press('f')
  await expect.poll(() => page.evaluate(() => document.fullscreenElement?.hasAttribute('data-player'))).toBe(true)
  await expect(mark).toBeVisible()
  expect(await lies()).toMatchObject({ within: true })
})

test('an address that ends in the middle is exchanged for a fresh one, and the picture goes on where it was', async ({
  page,
  store,
}) => {
  store.expected.push(refusals)
  const school = schoolOf(store)
  await newMember(page, school)
  const tokens: string[] = []
  let refusedParts = 0
  await page.route(/\/m\/.*/, (route) => {
    const { pathname } = new URL(route.request().url())
    const token = pathname.split('/')[2]!
    if (!tokens.includes(token)) tokens.push(token)
    // The first address lasts for eight seconds of film.
    if (token !== tokens[0] || !/seg_000[3-9]/.test(pathname)) return route.continue()
    refusedParts++
    return route.fulfill({ status: 403 })
  })
  await page.goto(school + lamp)
  await expect.poll(() => secondsPlayed(page)).toBeGreaterThan(0.5)
  const jumps = await page.locator('video').evaluate(
    (video: HTMLVideoElement) =>
      new Promise<number>((resolve) => {
        let last = video.currentTime
        let back = 0
        video.addEventListener('timeupdate', () => {
          if (video.currentTime < last - 0.1) back++
          last = video.currentTime
          if (last > 10) resolve(back)
        })
      }),
  )
  expect({ jumps, tokens: tokens.length }).toEqual({ jumps: 0, tokens: 2 })
  expect(refusedParts).toBeGreaterThan(0)
})

test('a fresh address is fetched before the old one ends, and after a sleep', async ({ page, store }) => {
  store.expected.push(refusals)
  const school = schoolOf(store)
  await newMember(page, school)
  await page.clock.install()
  const ends: string[] = []
  page.on('response', async (response) => {
    const end = /manifestUrl.*?"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/.exec(await response.text().catch(() => ''))?.[1]
    if (end) ends.push(end)
  })
  await page.goto(school + lamp)
  await play(page)
  await expect.poll(() => ends.length).toBe(1)
  await page.clock.fastForward('29:30')
  await expect.poll(() => ends.length).toBe(2)
  await page.clock.fastForward('05:00:00')
  await expect.poll(() => ends.length).toBe(3)
  await expect(refused(page)).toHaveCount(0)
})
