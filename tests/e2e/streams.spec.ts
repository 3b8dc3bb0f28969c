import type { Browser, BrowserContext, Page } from 'playwright/test'
import { enter, newMember } from './new-member'
import { expect, secondsPlayed, test } from './store'

/**
 * What each member of the school may watch: one stream at a time, on three devices, with a
 * watermark.
 */
const [lamp, brush] = ['/products/lamp-before-sleep/watch', '/products/brush-breathing/watch']

/**
 * The browser's console messages for an expired address or a stream taken over, which answer 403.
 */
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

const tablet = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'
const refused = (page: Page) => page.locator('[data-refused]')
const isPlaying = (page: Page) => page.locator('video').evaluate((video: HTMLVideoElement) => !video.paused)

test('a second device shows which device plays, takes over by keyboard, and the first can take over again', async ({
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

test('a paused film frees its stream without a message, and asks before it resumes', async ({
  page,
  browser,
  store,
}) => {
  store.expected.push(refusals)
  const school = schoolOf(store)
  const email = await newMember(page, school)
  await page.goto(school + lamp)
  await play(page)
  const released = page.waitForResponse((response) => response.request().postData()?.includes('LEFT') ?? false)
  await page.keyboard.press('k')
  await released
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

test('a resumed film plays although the first requests fail', async ({ page, store }) => {
  store.expected.push(refusals, /Failed to load resource|net::ERR/)
  const school = schoolOf(store)
  await newMember(page, school)
  await page.goto(school + lamp)
  await play(page)
  const released = page.waitForResponse((response) => response.request().postData()?.includes('LEFT') ?? false)
  await page.keyboard.press('k')
  await released
  const stood = () =>
    page.locator('video').evaluate((video: HTMLVideoElement) => [video.src, video.currentTime] as const)
  const [source, seconds] = await stood()
  const requested: string[] = []
  await page.route(
    () => true,
    (route) => {
      const posted = route.request().postData() ?? ''
      // A request to resume names the play, but no position.
      if (!posted.includes('playId') || posted.includes('positionSeconds')) return route.continue()
      requested.push(posted)
      if (requested.length === 1) return route.abort()
      return requested.length === 2 ? route.fulfill({ status: 503 }) : route.continue()
    },
  )
  await page.keyboard.press('k')
  await expect.poll(() => requested.length).toBe(2)
  expect(await stood()).toEqual([source, expect.any(Number)])
  await expect.poll(() => requested.length).toBe(3)
  await expect.poll(async () => (await stood())[1]).toBeGreaterThan(seconds + 1)
  expect((await stood())[0]).toBe(source)
  await expect(page.locator('[data-player]').getByRole('alert')).toHaveCount(0)
})

test('a sign-out in another tab stops the film with its reason', async ({ page, store, context }) => {
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

test('the watermark is in the picture, also in full screen, is not read out, and returns when removed', async ({
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

test('a media URL that expires during playback is replaced, and playback continues at its position', async ({
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

test('a new media URL is requested before the old one expires, and after a sleep', async ({ page, store }) => {
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
