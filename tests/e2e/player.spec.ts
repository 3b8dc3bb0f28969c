import type { Page } from 'playwright/test'
import { newMember } from './new-member'
import { choose, moveTo, playing, plays, watch } from './player'
import { expect, test } from './store'

/** Begins with a free lesson, with captions in two languages and two sound tracks. */
const series = '/products/night-shift/watch'
/** A free film, which has no lessons. */
const film = '/products/for-everyone-we-miss/watch'
const settings = /^Quality and speed/
const captions = /^(Audio and captions|Captions)$/

test('quality, audio and speed apply at once and to the whole series', async ({ page }) => {
  await watch(page, series)
  // By its name: when it is over, the series goes on with a lesson that costs money.
  const lesson = (await page.getByRole('link', { name: /The Crane/ }).getAttribute('href'))!
  await page.getByRole('button', { name: settings }).click()
  await expect(page.getByRole('menuitemradio', { name: /^Auto \(\d+p\)$/ })).toBeChecked()
  await expect(page.getByRole('menu')).toBeFocused()
  await page.keyboard.press('Escape')
  for (const height of [240, 720]) {
    await choose(page, settings, `${height}p`)
    await moveTo(page, 1)
    await plays(page, 'height').toBe(height)
  }

  const otherSound = page.waitForResponse((response) => /\/audio-ko\/seg_\d+\.m4s/.test(response.url()))
  await choose(page, captions, '가야금 편곡')
  expect((await otherSound).ok()).toBe(true)
  await choose(page, settings, '1.5×')
  await plays(page, 'speed').toBe(1.5)

  const remembered = page.waitForResponse((response) => /\/audio-ko\/seg_\d+\.m4s/.test(response.url()))
  await watch(page, lesson)
  expect(await playing(page)).toMatchObject({ speed: 1.5 })
  await remembered
  await page.getByRole('button', { name: settings }).click()
  await expect(page.getByRole('menuitemradio', { name: '720p' })).toBeChecked()
  await expect(page.getByRole('menu')).toBeFocused()
  await page.keyboard.press('Escape')

  // Another series begins with the latest choice, and a choice there does not affect this one.
  await watch(page, film)
  expect(await playing(page)).toMatchObject({ speed: 1.5 })
  await choose(page, settings, 'Normal')
  await watch(page, lesson)
  expect(await playing(page)).toMatchObject({ speed: 1.5 })
})

test('captions and sound begin in the language of the page until the viewer chooses others', async ({ page }) => {
  const korean = page.waitForResponse((response) => /\/audio-ko\/seg_\d+\.m4s/.test(response.url()))
  await watch(page, `/ko${series}`)
  expect((await korean).ok()).toBe(true)

  // The film's own sound is English.
  const shown = page.locator('[data-captions]')
  await watch(page, `/ko${film}`)
  await moveTo(page, 2)
  await expect(shown).toHaveAttribute('lang', 'ko')
  await page.keyboard.press('c')
  await expect(shown).toBeHidden()
  await watch(page, `/ko${film}`)
  await moveTo(page, 2)
  await page.keyboard.press('c')
  await expect(shown).toHaveAttribute('lang', 'ko')
})

test('captions have two languages and a style that is saved', async ({ page }) => {
  await watch(page, film)
  const shown = page.locator('[data-captions]')
  await expect(shown).toBeHidden()
  await page.keyboard.press('c')
  await moveTo(page, 2)
  await expect(shown).toHaveAttribute('lang', 'en')
  await choose(page, captions, '한국어')
  await expect(shown).toHaveAttribute('lang', 'ko')
  await expect(shown).toHaveText(/\p{Script=Hangul}/u)

  await page.getByRole('button', { name: captions }).click()
  await page.getByRole('menuitem', { name: 'Caption style' }).click()
  const sheet = page.getByRole('dialog', { name: 'Caption style' })
  for (const name of ['Yellow', 'Extra large', 'Black', 'Top'])
    await sheet.getByRole('radio', { name, exact: true }).check({ force: true })
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()

  const look = () =>
    shown
      .locator('span')
      .first()
      .evaluate((line) => {
        const { color, backgroundColor } = getComputedStyle(line)
        const [box, player] = [line, line.closest('[data-player]')!].map((part) => part.getBoundingClientRect())
        return { color, backgroundColor, above: box!.top < player!.top + player!.height / 2 }
      })
  const chosen = { color: 'rgb(255, 225, 77)', backgroundColor: 'rgb(0, 0, 0)', above: true }
  await expect(shown).toBeVisible()
  expect(await look()).toEqual(chosen)
  await watch(page, film)
  await moveTo(page, 2)
  await expect(shown).toHaveAttribute('lang', 'ko')
  expect(await look()).toEqual(chosen)
})

test('the keys, the scrubber, the buttons and the transcript of the player do what they say', async ({ page }) => {
  await watch(page, film)
  await test.step('every key does what the help says', () => pressKeys(page))
  await test.step('the scrubber shows thumbnails and chapters', () => scrub(page))
  await test.step('skipping ten seconds back and forward has buttons', () => skip(page))
  await page.getByRole('button', { name: 'Transcript' }).click()
  await test.step('no key acts during text input', () => typeInTranscript(page))
  await test.step('the transcript follows the film, can be searched, and links to its second', () =>
    readTranscript(page))
})

async function pressKeys(page: Page) {
  await page.keyboard.press('k')
  await plays(page, 'paused').toBe(false)
  await page.keyboard.press('k')
  await plays(page, 'paused').toBe(true)
  await moveTo(page, 3)
  for (const [key, time] of [
    ['l', 13],
    ['j', 3],
    ['ArrowRight', 8],
    ['ArrowLeft', 3],
    ['5', 12],
    ['0', 0],
  ] as const) {
    await page.keyboard.press(key)
    await plays(page, 'time').toBeCloseTo(time, 0)
  }
  await page.keyboard.press('Shift+>')
  await plays(page, 'speed').toBe(1.25)
  await page.keyboard.press('Shift+<')
  await plays(page, 'speed').toBe(1)
  await page.keyboard.press('m')
  await plays(page, 'muted').toBe(true)
  await page.keyboard.press('m')
  await plays(page, 'muted').toBe(false)
  await page.keyboard.press('f')
  await expect.poll(() => page.evaluate(() => document.fullscreenElement?.hasAttribute('data-player'))).toBe(true)
  await page.keyboard.press('f')
  await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help.locator('kbd')).not.toHaveCount(0)
  await expect(help).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()
  await page.keyboard.press('Space')
  await plays(page, 'paused').toBe(false)
  await page.keyboard.press('Space')
  await plays(page, 'paused').toBe(true)
}

async function scrub(page: Page) {
  const line = page.locator('[data-timeline]')
  const still = page.locator('[data-storyboard-frame] img')
  await page.locator('[data-player]').hover()
  const { x, y, width, height } = (await line.boundingBox())!
  const at = (part: number) => page.mouse.move(x + width * part, y + height / 2)

  await at(0.1)
  await expect(still).toBeVisible()
  await expect.poll(() => still.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(160)
  const early = await still.getAttribute('style')
  await expect(line.locator('output')).toContainText('Letting go')
  await at(0.9)
  await expect(line.locator('output')).toContainText('Far away')
  expect(await still.getAttribute('style')).not.toBe(early)
  await page.mouse.click(x + width * 0.5, y + height / 2)
  await plays(page, 'time').toBeGreaterThan(11)

  await choose(page, /^Chapters/, /^Far away/)
  await plays(page, 'time').toBe(16)
  await moveTo(page, 9)
  await page.keyboard.press('n')
  await plays(page, 'time').toBe(16)
  await page.keyboard.press('p')
  await plays(page, 'time').toBe(8)
}

async function skip(page: Page) {
  await moveTo(page, 3)
  await page.locator('[data-player]').hover()
  await page.getByRole('button', { name: 'Forward 10 seconds' }).click()
  await plays(page, 'time').toBeCloseTo(13, 0)
  await page.getByRole('button', { name: 'Back 10 seconds' }).click()
  await plays(page, 'time').toBeCloseTo(3, 0)
}

async function typeInTranscript(page: Page) {
  const search = page.getByRole('searchbox', { name: 'Search transcript' })
  await search.fill('')
  await search.pressSequentially('km5')
  await expect(search).toHaveValue('km5')
  expect(await playing(page)).toMatchObject({ paused: true, muted: false })
  await search.fill('')
}

async function readTranscript(page: Page) {
  const lines = page.getByRole('list', { name: 'Transcript' }).getByRole('button')
  await expect(lines).not.toHaveCount(0)
  const [, second] = await lines.allInnerTexts()
  const [time, words] = second!.split('\n') as [string, string]
  const seconds = Number(time.split(':')[1])

  await lines.nth(1).click()
  await expect.poll(async () => Math.abs((await playing(page)).time - seconds)).toBeLessThan(1)
  await expect(lines.nth(1)).toHaveAttribute('aria-current', 'true')

  await moveTo(page, 0)
  await page.getByRole('searchbox').fill(words.split(' ').at(-1)!.replaceAll(/\W/g, '').toUpperCase())
  await expect(lines.locator('mark').first()).toBeVisible()
  await page.getByRole('searchbox').press('Enter')
  await expect.poll(async () => (await playing(page)).time).toBeGreaterThan(seconds - 0.5)
  await page.getByRole('searchbox').fill('zzzz')
  await expect(page.getByText('No matches in the transcript')).toBeVisible()

  await page.getByRole('combobox', { name: 'Transcript language' }).selectOption('ko')
  await expect(lines.first()).toHaveText(/\p{Script=Hangul}/u)
  await page.getByRole('tab', { name: 'Chapters' }).click()
  await page
    .getByRole('list', { name: 'Chapters' })
    .getByRole('button', { name: /Far away$/ })
    .click()
  await plays(page, 'time').toBeGreaterThanOrEqual(16)
}

for (const { locale, back, on } of [
  { locale: 'en-US', back: 'Back 10 seconds', on: 'Forward 10 seconds' },
  { locale: 'ar', back: 'الرجوع 10 ثوانٍ', on: 'التقدم 10 ثوانٍ' },
])
  test.describe(`on a phone in ${locale}`, () => {
    test.use({ locale, hasTouch: true, isMobile: true, viewport: { width: 375, height: 740 } })

    test('the controls are in place and large enough for a thumb; time runs to the right', async ({ page }) => {
      await watch(page, film)
      const player = (await page.locator('[data-player]').boundingBox())!
      const boxOf = async (name: string) => (await page.getByRole('button', { name, exact: true }).boundingBox())!
      expect((await boxOf(back)).x).toBeLessThan((await boxOf(on)).x)
      const controls = page.locator('[data-player] [data-controls]').getByRole('button')
      await expect.poll(() => controls.count()).toBeGreaterThan(6)
      for (const control of await controls.all()) {
        const { x, width, height } = (await control.boundingBox())!
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
        expect(x).toBeGreaterThanOrEqual(player.x)
        expect(x + width).toBeLessThanOrEqual(player.x + player.width)
      }
      // A menu covers the picture, so that as much of it as possible is seen.
      await controls.nth(-2).click()
      const heightOfMenu = async () => (await page.getByRole('menu').boundingBox())?.height
      await expect.poll(heightOfMenu).toBeCloseTo(player.height, 0)
    })
  })

test('WebVTT character references are decoded in captions and transcript', async ({ page }) => {
  const cue = '00:00:00.000 --> 00:00:20.000\n<i>Question &amp; answer</i>,\n3 &lt; 4 &amp;amp; more\n'
  await page.route(/\/captions\/en\.vtt$/, (route) =>
    route.fulfill({ contentType: 'text/vtt', body: `WEBVTT\n\n${cue}` }),
  )
  await watch(page, film)
  await page.keyboard.press('c')
  await expect(page.locator('[data-captions] span')).toHaveText(['Question & answer,', '3 < 4 &amp; more'])
  await page.getByRole('button', { name: 'Transcript' }).click()
  const lines = page.getByRole('list', { name: 'Transcript' }).getByRole('button')
  await expect(lines).toContainText(['Question & answer,'])
  await page.getByRole('searchbox').fill('question & answer, 3 <')
  await expect(lines.locator('mark')).toBeVisible()
})

test('a link with a time starts playback at that time', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await watch(page, series)
  await moveTo(page, 12.4)
  await page.getByRole('button', { name: 'Share this moment' }).click()
  await expect(page.getByText('Link copied.')).toBeVisible()
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()))
  expect(link.searchParams.get('t')).toBe('12')
  const friend = await (await context.browser()!.newContext()).newPage()
  await watch(friend, link.href)
  expect((await playing(friend)).time).toBeGreaterThanOrEqual(12)
  expect((await playing(friend)).time).toBeLessThan(20)
  await friend.context().close()
})

test('another screen is offered where one is near, for what a screen without a member may play', async ({
  page,
  store,
}) => {
  const button = page.getByRole('button', { name: 'Play on another device' })
  await watch(page, film)
  await expect(page.getByRole('button', { name: /^Full screen/ })).toBeVisible()
  await expect(button).toBeHidden()
  await page.addInitScript(() => {
    const remote = Object.assign(new EventTarget(), {
      state: 'disconnected',
      watchAvailability: async (tell: (available: boolean) => void) => {
        tell(true)
        return 1
      },
      cancelWatchAvailability: async () => {},
      prompt: async () => {
        document.title = 'Asked for a screen'
      },
    })
    Object.defineProperty(HTMLMediaElement.prototype, 'remote', { get: () => remote })
  })
  await watch(page, film)
  await button.click()
  await expect(page).toHaveTitle('Asked for a screen')

  await newMember(page, store.at('aurora', ''))
  await watch(page, '/products/and-so-on/watch')
  await expect(page.getByRole('button', { name: /^Full screen/ })).toBeVisible()
  await expect(button).toBeHidden()
})

test('on a phone in landscape orientation the picture fills the screen, with the back link over it', async ({
  page,
}) => {
  await page.setViewportSize({ width: 667, height: 375 })
  await watch(page, film)
  const back = page.getByRole('link', { name: /^Back to / })
  for (const [width, height] of [
    [667, 375],
    [812, 375],
  ] as const) {
    await page.setViewportSize({ width, height })
    const player = page.locator('[data-player]')
    await expect.poll(() => player.boundingBox(), `${width} × ${height}`).toEqual({ x: 0, y: 0, width, height })
    await expect(page.locator('#site-header')).toBeHidden()
    await expect(player.getByRole('button', { name: 'Play' }).first()).toBeInViewport({ ratio: 1 })
    await page.mouse.move(width / 2, height / 2)
    await expect(back).toBeInViewport({ ratio: 1 })
    await back.click({ trial: true })
  }
  await back.click()
  await expect(page).toHaveURL(/\/products\/for-everyone-we-miss$/)
  await expect(page.locator('#site-header')).toBeVisible()
})
