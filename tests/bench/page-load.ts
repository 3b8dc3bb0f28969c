/**
 * Measures what a page costs in a browser: first and largest paint, time in which the page does not
 * answer, requests and bytes, as on a cheap phone with a slow network; and how long a click takes,
 * in the console as well. Nothing here fails. By itself: `npm run node -- tests/bench/page-load.ts
 * --rounds 5`; with `--clicks`, only navigation.
 */
import type { Browser, BrowserContext, Page } from 'playwright'
import { startBrowser } from './browser.ts'
import { median, printFigures, record } from './figures.ts'
import { type BenchStore, option, startStore } from './store.ts'

/** As Lighthouse simulates a phone: slow 4G, and a CPU of a quarter of this machine's speed. */
const slowNetwork = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}
const slowdown = 4

const phone = { viewport: { width: 375, height: 812 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
const desktop = { viewport: { width: 1440, height: 900 } }
/** Headless Chromium's own user agent is treated as a crawler's. */
const userAgent =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

const slowDown = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', slowNetwork)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
}

/** Waits until the network has been idle and the browser has nothing to do. */
const settled = async (page: Page) => {
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
}

/** Resolves when no request has been under way for half a second. */
async function untilQuiet(page: Page): Promise<void> {
  let underWay = 0
  let last = performance.now()
  const change = (by: number) => () => {
    underWay += by
    last = performance.now()
  }
  const [begin, end] = [change(1), change(-1)]
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end)
  while (underWay > 0 || performance.now() - last < 500) await page.waitForTimeout(50)
  page.off('request', begin).off('requestfinished', end).off('requestfailed', end)
}

interface Load {
  firstPaint: number
  largestPaint: number
  blocked: number
  requests: number
}

/** Runs in the page, before its own scripts. */
const observe = () => {
  const seen = { largestPaint: 0, longTasks: [] as { at: number; took: number }[] }
  Object.assign(window, { seen })
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) seen.largestPaint = startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) seen.longTasks.push({ at: startTime, took: duration })
  }).observe({ type: 'longtask', buffered: true })
}

async function loadOnPhone(context: BrowserContext, address: string): Promise<Load> {
  const page = await context.newPage()
  await slowDown(page)
  await page.addInitScript(observe)
  let requests = 0
  page.on('request', () => requests++)
  await page.goto(address)
  await settled(page)
  const times = await page.evaluate(() => {
    const { seen } = window as unknown as { seen: { largestPaint: number; longTasks: { at: number; took: number }[] } }
    const firstPaint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN
    const afterPaint = seen.longTasks.filter(({ at }) => at > firstPaint)
    const blocked = afterPaint.reduce((sum, { took }) => sum + took - 50, 0)
    return { firstPaint, largestPaint: seen.largestPaint, blocked }
  })
  await page.close()
  return { ...times, requests }
}

/** The session cookies of a member of the demo, at the store of `origin`. */
async function signedIn(context: BrowserContext, origin: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${origin}/login`)
  await settled(page)
  await page.getByLabel('Email').fill('member@example.com')
  await page.getByLabel('Password', { exact: true }).fill('marquee-demo')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
  await page.close()
}

async function measureLoads(browser: Browser, origins: Record<'aurora' | 'hangang', string>, rounds: number) {
  for (const [name, origin, path, isMember] of [
    ['home', origins.aurora, '/', false],
    ['list', origins.aurora, '/products', false],
    ['product', origins.aurora, '/products/the-last-light', false],
    ['member’s home', origins.aurora, '/', true],
    ['Hangang’s home', origins.hangang, '/', false],
  ] as const) {
    const loads: Load[] = []
    for (let round = 0; round < rounds; round++) {
      const context = await browser.newContext({ ...phone, userAgent, locale: 'en-US' })
      if (isMember) await signedIn(context, origin)
      loads.push(await loadOnPhone(context, origin + path))
      await context.close()
    }
    const of = (figure: keyof Load) => median(loads.map((load) => load[figure]))
    record(`${name}: first paint, phone`, of('firstPaint') / 1000, 's', { atMost: 1 })
    record(`${name}: largest paint, phone`, of('largestPaint') / 1000, 's', { atMost: 1.9 })
    record(`${name}: blocking time, phone`, of('blocked'), 'ms', { atMost: 80 })
    record(`${name}: requests when settled`, of('requests'), '', { atMost: 35 })
  }
}

interface ClickTimes {
  /** To the first frame with the heading of the next page, whose other parts may be loading. */
  heading: number
  /** To the first frame with the whole page. */
  page: number
}

/** Milliseconds from a press to what the next page shows. */
async function clickTime(page: Page, press: () => Promise<void>): Promise<ClickTimes> {
  await page.evaluate(() => {
    const shown = new Promise<ClickTimes>((resolve) => {
      let pressed = 0
      const begin = (event: Event) => (pressed ||= event.timeStamp)
      addEventListener('pointerdown', begin, { capture: true, once: true })
      addEventListener('popstate', begin, { capture: true, once: true })
      // The page that is left stays in the document, hidden, while a placeholder is shown.
      const heading = () => Array.from(document.querySelectorAll('main h1')).find((each) => each.checkVisibility())
      const before = heading()?.textContent
      let first: number | undefined
      const look = (now: number) => {
        const next = heading()
        if (pressed && next && next.textContent !== before) {
          first ??= now - pressed
          if (!next.closest('[aria-busy]')) return resolve({ heading: first, page: now - pressed })
        }
        requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
    Object.assign(window, { shown })
  })
  await press()
  return page.evaluate(() => (window as unknown as { shown: Promise<ClickTimes> }).shown)
}

async function measureClicks(browser: Browser, origin: string, rounds: number) {
  for (const [label, isSlow, goals] of [
    ['desktop', false, { click: 50, hover: 30, back: 50 }],
    ['slow CPU and network', true, { click: 200, hover: 100, back: undefined }],
  ] as const) {
    const times = {
      click: [] as ClickTimes[],
      below: [] as ClickTimes[],
      hover: [] as ClickTimes[],
      back: [] as ClickTimes[],
    }
    for (let round = 0; round < rounds; round++) {
      const context = await browser.newContext({ ...desktop, userAgent, locale: 'en-US' })
      const page = await context.newPage()
      await page.goto(`${origin}/products`)
      await settled(page)
      if (isSlow) await slowDown(page)
      // The first movement loads the scripts of the pages that the list leads to, and the data of
      // the cards in view.
      const quiet = untilQuiet(page)
      await page.mouse.move(1, 1)
      await quiet
      const cards = page.getByRole('main').getByRole('article').getByRole('link')
      times.click.push(await clickTime(page, () => cards.nth(1).click()))
      await settled(page)
      times.back.push(await clickTime(page, () => page.evaluate(() => history.back())))
      await settled(page)
      times.below.push(await clickTime(page, () => cards.nth(20).click()))
      await settled(page)
      await clickTime(page, () => page.evaluate(() => history.back()))
      await settled(page)
      await cards.nth(16).hover()
      await settled(page)
      times.hover.push(await clickTime(page, () => cards.nth(16).click()))
      await context.close()
    }
    for (const [name, of, goal] of [
      ['list → product: click', times.click, goals.click],
      ['list → product: click on a card below the first view', times.below, goals.click],
      ['list → product: click after a hover', times.hover, goals.hover],
      ['product → list: back', times.back, goals.back],
    ] as const) {
      const goalOfName = goal ? { atMost: goal } : {}
      record(`${name}, ${label}: heading`, median(of.map(({ heading }) => heading)), 'ms', goalOfName)
      record(`${name}, ${label}: whole page`, median(of.map((time) => time.page)), 'ms', goalOfName)
    }
  }
}

/** Changes of the console's screen: between pages whose code is loaded. */
async function measureConsole(browser: Browser, origin: string, rounds: number) {
  const context = await browser.newContext({ ...desktop, userAgent, locale: 'en-US' })
  const page = await context.newPage()
  await page.goto(`${origin}/admin`)
  await page.getByLabel('Email').fill('operator@example.com')
  await page.getByLabel('Password', { exact: true }).fill('marquee-demo')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const menu = page.getByRole('navigation', { name: 'Console' })
  const change = async (name: string) => {
    // It is told about changes meanwhile, so its network is never idle.
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })))
    return clickTime(page, () => menu.getByRole('link', { name, exact: true }).click())
  }
  const names = ['Orders', 'Products', 'Members', 'Inquiries', 'Settings', 'Home']
  for (const name of names) await change(name)
  const times = new Map<string, ClickTimes[]>(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) for (const [name, of] of times) of.push(await change(name))
  for (const [name, of] of times)
    record(`console, change to ${name}: heading`, median(of.map(({ heading }) => heading)), 'ms')
  await context.close()
}

/** Milliseconds until the frame after each press is shown, as the browser measures interactions. */
async function interactionTime(page: Page, press: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const durations: number[] = []
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceEventTiming[])
        if (entry.interactionId) durations.push(entry.duration)
    })
    observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
    Object.assign(window, { durations })
  })
  await press()
  await settled(page)
  // Interactions below the threshold are not reported.
  return page.evaluate(() => Math.max(16, ...(window as unknown as { durations: number[] }).durations))
}

async function measureInteractions(browser: Browser, origin: string, rounds: number) {
  const product = '/products/the-last-light'
  const button = (page: Page, name: RegExp) => page.getByRole('button', { name }).first()
  for (const [name, path, press] of [
    ['menu', '/', (page: Page) => button(page, /^Browse$/).click()],
    ['search', '/', (page: Page) => page.getByRole('combobox').first().pressSequentially('a')],
    ['filter', '/products', (page: Page) => page.getByRole('checkbox').first().press('Space')],
    ['like', product, (page: Page) => button(page, /wish list/i).click()],
    ['add to cart', product, (page: Page) => button(page, /^Add to cart$/).click()],
  ] as const) {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const context = await browser.newContext({ ...desktop, userAgent, locale: 'en-US' })
      if (name === 'like') await signedIn(context, origin)
      const page = await context.newPage()
      await page.goto(origin + path)
      await settled(page)
      await slowDown(page)
      times.push(await interactionTime(page, () => press(page)))
      await context.close()
    }
    record(`${name}: press to next frame, slow CPU`, median(times), 'ms', { atMost: 100 })
  }
}

/** Measures loads, clicks and interactions at a running store. */
export async function measurePageLoads(store: BenchStore, rounds: number): Promise<void> {
  await using browser = await startBrowser()
  const at = (tenant: string) => `http://${tenant}.localhost:${store.port}`
  await measureLoads(browser, { aurora: at('aurora'), hangang: at('hangang') }, rounds)
  await measureClicks(browser, at('aurora'), rounds)
  await measureInteractions(browser, at('aurora'), rounds)
  await measureConsole(browser, at('aurora'), rounds)
}

if (import.meta.main) {
  using store = await startStore()
  const rounds = option('rounds', 5)
  if (process.argv.includes('--clicks')) {
    await using browser = await startBrowser()
    await measureClicks(browser, `http://aurora.localhost:${store.port}`, rounds)
  } else await measurePageLoads(store, rounds)
  printFigures()
}
