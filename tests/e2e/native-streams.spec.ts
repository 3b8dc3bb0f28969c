import type { Page } from 'playwright/test'
import { newMember } from './new-member'
import { choose, playing, plays } from './player'
import { expect, test } from './store'

/** A film for every member, which is bound to its session. */
const film = '/products/and-so-on/watch'

/**
 * Chromium plays HLS natively, as Safari does; the player uses that in browsers with
 * ManagedMediaSource. Safari pauses a failed stream.
 */
const likeSafari = (page: Page) =>
  page.addInitScript(() => {
    Object.assign(window, { ManagedMediaSource: class {} })
    document.addEventListener('error', ({ target }) => target instanceof HTMLVideoElement && target.pause(), true)
  })

const stands = (page: Page) =>
  page.locator('[data-player] video').evaluate((element) => {
    const video = element as HTMLVideoElement
    return { source: video.src, error: video.error?.code ?? null }
  })

const open = async (page: Page, store: string) => {
  await likeSafari(page)
  await newMember(page, store)
  await page.goto(store + film)
  await plays(page, 'time').toBeGreaterThan(0.5)
  expect((await stands(page)).source).toMatch(/\/master\.m3u8$/)
}

/**
 * Waits until the browser has loaded as much as it wants at this position. What it requested during
 * a pause would be refused.
 */
const loadsNoMore = async (page: Page) => {
  const video = page.locator('[data-player] video')
  const setSpeed = (speed: number) =>
    video.evaluate((element, speed) => {
      ;(element as HTMLVideoElement).playbackRate = speed
    }, speed)
  await setSpeed(0.0625)
  let before = -1
  const isSame = async () => {
    const end = await video.evaluate((element) => {
      const { buffered } = element as HTMLVideoElement
      return buffered.length > 0 ? buffered.end(buffered.length - 1) : 0
    })
    const same = end === before
    before = end
    return same
  }
  await expect.poll(isSame, { intervals: [1_000] }).toBe(true)
  await setSpeed(1)
}

const tokenOf = (url: string) => new URL(url).pathname.split('/')[2]!

/**
 * The first address is valid for twelve seconds of film. Requests for later segments wait until it
 * expires, and are then refused, as all others are.
 */
const lastShortly = async (page: Page) => {
  let first: string | undefined
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  await page.route(/\/m\//, async (route) => {
    const url = route.request().url()
    first ??= tokenOf(url)
    if (tokenOf(url) !== first || !/seg_0*([4-9])\./.test(url)) return route.continue()
    await ended
    await route.fulfill({ status: 403 })
  })
  return { end, first: () => first }
}

test.beforeEach(({ store }) => void store.expected.push(/status of 403/))

test('native playback continues at its position and speed when its URL expires', async ({ page, store }) => {
  const address = await lastShortly(page)
  await open(page, store.at('aurora', ''))
  await choose(page, /^Quality and speed/, '1.5×')
  address.end()
  await expect.poll(async () => tokenOf((await stands(page)).source)).not.toBe(address.first())
  await plays(page, 'time').toBeGreaterThan(13)
  expect(await playing(page)).toMatchObject({ paused: false, speed: 1.5 })
  await expect(page.locator('[data-player]').getByRole('alert')).toHaveCount(0)
})

test('native playback resumes a paused film with the same stream, without a gap', async ({ page, store }) => {
  await open(page, store.at('aurora', ''))
  await loadsNoMore(page)
  const before = await stands(page)
  const video = page.locator('[data-player] video')
  await video.evaluate((element) => {
    element.addEventListener('emptied', () => element.setAttribute('data-emptied', ''))
  })
  const released = page.waitForResponse((response) => response.request().postData()?.includes('LEFT') ?? false)
  await page.keyboard.press('k')
  await released
  const { time } = await playing(page)
  const renewed = page.waitForResponse((response) => response.request().postData()?.includes('playId') ?? false)
  const gap = await video.evaluate(
    (element) =>
      new Promise<number>((resolve) => {
        const film = element as HTMLVideoElement
        const { currentTime } = film
        const begun = performance.now()
        film.addEventListener('timeupdate', () => film.currentTime > currentTime && resolve(performance.now() - begun))
        document.querySelector<HTMLButtonElement>('[data-controls] button')!.click()
      }),
  )
  test.info().annotations.push({ type: 'gap', description: `${Math.round(gap)} ms` })
  await renewed
  await plays(page, 'time').toBeGreaterThan(time + 2)
  expect(await stands(page)).toEqual(before)
  await expect(video).not.toHaveAttribute('data-emptied')
})

test('native playback resumes with one press after its URL expired during a pause', async ({ page, store }) => {
  const address = await lastShortly(page)
  await open(page, store.at('aurora', ''))
  // Paused any earlier, the browser asks for nothing beyond what it has.
  await plays(page, 'time').toBeGreaterThan(3.5)
  const released = page.waitForResponse((response) => response.request().postData()?.includes('LEFT') ?? false)
  await page.keyboard.press('k')
  await released
  address.end()
  await expect.poll(async () => (await stands(page)).error).not.toBeNull()
  const { time } = await playing(page)
  await page.keyboard.press('k')
  await plays(page, 'time').toBeGreaterThan(13)
  expect(time).toBeLessThan(12)
  expect(await playing(page)).toMatchObject({ paused: false })
})
