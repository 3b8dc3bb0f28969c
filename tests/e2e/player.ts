import { expect, type Locator, type Page } from 'playwright/test'

export interface Playing {
  time: number
  paused: boolean
  /** Lines of the picture that is shown. */
  height: number
  speed: number
  muted: boolean
}

const theVideo = (within: Page | Locator) => within.locator('[data-player] video')

export const playing = (within: Page | Locator): Promise<Playing> =>
  theVideo(within).evaluate((element) => {
    const video = element as HTMLVideoElement
    return {
      time: video.currentTime,
      paused: video.paused,
      height: video.videoHeight,
      speed: video.playbackRate,
      muted: video.muted,
    }
  })

/** Polls one thing about what plays: `await plays(page, 'height').toBe(720)`. */
export const plays = <Key extends keyof Playing>(within: Page | Locator, key: Key) =>
  expect.poll(async () => (await playing(within))[key], { intervals: [100] })

/** Puts the film at a moment, as a person does by the line of time. */
export const moveTo = (within: Page | Locator, seconds: number) =>
  theVideo(within).evaluate((element, at) => {
    ;(element as HTMLVideoElement).currentTime = at < 0 ? (element as HTMLVideoElement).duration + at : at
  }, seconds)

/**
 * Opens a film, which plays by itself, and holds it once it does: the films are short, and a busy
 * machine must not miss their end.
 */
export async function watch(page: Page, address: string): Promise<void> {
  await page.goto(address)
  const reached = theVideo(page).evaluate(
    (element) =>
      new Promise<void>((resolve) => {
        const video = element as HTMLVideoElement
        const hold = () => {
          if (video.currentTime < 0.2) return
          video.removeEventListener('timeupdate', hold)
          video.pause()
          resolve()
        }
        video.addEventListener('timeupdate', hold)
        hold()
      }),
  )
  await expect(reached, 'the film plays').resolves.toBeUndefined()
}

/** Chooses in one of the player's menus, and closes it. */
export async function choose(page: Page, menu: RegExp, choice: string | RegExp): Promise<void> {
  await page.locator('[data-player]').hover()
  await page.locator('[data-player]').getByRole('button', { name: menu }).click()
  await page.getByRole('menuitemradio', { name: choice, exact: typeof choice === 'string' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()
}
