import { expect, type Page } from 'playwright/test'
import { playing } from './player'
import { hydrated } from './store'

/**
 * Milliseconds in which a film that lost its right stops: a player reports every ten seconds, and a
 * busy machine may take as long again.
 */
const promised = 20_000

export const refused = (page: Page) => page.locator('[data-refused]')

/** A film that plays, so slowly that its 24 seconds outlast what happens meanwhile. */
export interface Watching {
  /** The present status of the first video segment for the viewer. */
  part: () => Promise<number>
}

/** Opens a film as a person does, and leaves it playing. */
export async function keepWatching(page: Page, address: string): Promise<Watching> {
  const first = page.waitForRequest(/\/m\/.*\/seg_0*1\.m4s/)
  await page.goto(address)
  await hydrated(page)
  const start = page.getByRole('button', { name: 'Start watching' })
  // The button may appear after the video. Pressed again, it would open the film anew.
  let isPressed = false
  const timePlayed = async () => {
    if (!isPressed && (await start.isVisible())) {
      await start.click()
      isPressed = true
    }
    return (await playing(page)).time
  }
  await expect.poll(timePlayed, { intervals: [100] }).toBeGreaterThan(0.3)
  const url = (await first).url()
  await page.locator('[data-player] video').evaluate((element) => {
    ;(element as HTMLVideoElement).playbackRate = 0.0625
  })
  return { part: () => page.evaluate(async (address) => (await fetch(address, { cache: 'no-store' })).status, url) }
}

/** Expects playback to stop in time, with this reason and a refused address. */
export async function stops(page: Page, { part }: Watching, why: string): Promise<void> {
  expect(await part()).toBe(403)
  await expect(refused(page)).toContainText(why, { timeout: promised })
  const isPaused = () => page.locator('[data-player] video').evaluate((video: HTMLVideoElement) => video.paused)
  await expect.poll(isPaused).toBe(true)
}
