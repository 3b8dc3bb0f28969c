/**
 * From the press to the first picture, in a browser; the median and the slowest of `--times 10`.
 * New: nothing of the store is in the browser's cache but what its product page needs. Known: the
 * player was used before. Nothing here fails.
 */
import type { Page } from 'playwright'
import { startBrowser } from './browser.ts'
import { option, startStore } from './store.ts'

const times = option('times', 10)
using store = await startStore()
await using browser = await startBrowser()
const origin = `http://aurora.localhost:${store.port}`

/** Milliseconds from the press of `button` to the first frame of the video it leads to. */
async function press(page: Page, address: string, button: RegExp, role: 'link' | 'button'): Promise<number> {
  await page.goto(origin + address)
  // Who presses has looked at the page for a while.
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  await page.evaluate(() => {
    const first = new Promise<number>((resolve) => {
      let pressed = 0
      document.addEventListener('pointerdown', (event) => (pressed ||= event.timeStamp), { capture: true })
      new MutationObserver(() => {
        const video = document.querySelector('video')
        if (video && !video.dataset.watched) {
          video.dataset.watched = 'yes'
          video.requestVideoFrameCallback((now) => resolve(now - pressed))
        }
      }).observe(document.body, { childList: true, subtree: true })
    })
    Object.assign(window, { first })
  })
  await page.getByRole(role, { name: button }).first().click()
  return page.evaluate(() => (window as unknown as { first: Promise<number> }).first)
}

const rows = []
for (const [what, address, button, role] of [
  ['film', '/products/for-everyone-we-miss', /^Watch now$/, 'link'],
  ['preview', '/products/the-last-light', /Preview/, 'button'],
] as const) {
  const [fresh, known]: [number[], number[]] = [[], []]
  for (let time = 0; time < times; time++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    fresh.push(await press(page, address, button, role))
    known.push(await press(page, address, button, role))
    await context.close()
  }
  for (const [visit, all] of [
    ['new', fresh],
    ['known', known],
  ] as const) {
    const sorted = all.toSorted((a, b) => a - b).map(Math.round)
    rows.push({ what, visit, 'median, ms': sorted[Math.floor(sorted.length / 2)], 'slowest, ms': sorted.at(-1) })
  }
}
console.table(rows)
