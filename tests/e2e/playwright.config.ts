import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'playwright/test'
import { installedChromium } from '../../scripts/chromium.ts'

const chromium = installedChromium()
const port = Number(process.env.E2E_PORT ?? 4173)
const [edgePort, clockPort] = [port + 1, port + 2]

/**
 * The projects to run. Only their servers are started. `edge` needs `npm run build -- --target
 * cloudflare`, so it runs only when it is named.
 */
const chosen = new Set((process.env.MARQUEE_E2E ?? 'store,time').split(','))

const shared = {
  cwd: '../..',
  timeout: 180_000,
  gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
  stdout: 'ignore',
  stderr: 'pipe',
} as const

const storeAt = (port: number) => ({
  ...shared,
  command: 'node server/launch.js demo --fresh --no-build',
  url: `http://127.0.0.1:${port}/readyz`,
  env: {
    PORT: String(port),
    MARQUEE_DATA: join(tmpdir(), `marquee-e2e-${port}`),
    NODE_ENV: 'production',
    // A test starts it, and sets the records of domains.
    NAME_SERVERS: `127.0.0.1:${port + 3}`,
    // The Worker, and one test, send the address of a visitor as a proxy does.
    TRUSTED_PROXIES: '127.0.0.1',
    // No request is refused for load, however busy the machine that runs the tests is.
    MAX_QUEUED_REQUESTS: '1000',
    MAX_EVENT_LOOP_DELAY: '10000',
  },
})

const worker = {
  ...shared,
  command: `npm run start:edge -- --port ${edgePort} --inspector-port 0 --var API_URL:http://127.0.0.1:${port}`,
  url: `http://127.0.0.1:${edgePort}/favicon.svg`,
  env: { WRANGLER_HIDE_BANNER: 'true', CI: 'true' },
}

const launchOptions = {
  ...(chromium && { executablePath: chromium }),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--autoplay-policy=no-user-gesture-required',
  ],
}

/**
 * Tests of layout, transfer size and appearance, and those that load pictures themselves. In the
 * others no page loads a picture: decoding and drawing them takes a fifth of a page's CPU time.
 */
const withPictures =
  /\/(accessibility|budgets|console-(bulk-products|content|first-store|formatting|imports|library|products|store|walk)|grid|injections|layout-shift|lists-in-html|markup|new-store|new-visitor|offline|other-players|playback-positions|player|product-phone|rails|right-to-left|session-forgery|shell|slow-network|text-contrast)\.spec\.ts/
const timeTests = /\/(renewals|time-.*)\.spec\.ts/
const edgeTests = /\/(edge|targets)\.spec\.ts/
const plainBrowser = {
  launchOptions: { ...launchOptions, args: [...launchOptions.args, '--blink-settings=imagesEnabled=false'] },
}

const projects = [
  // These tests move the time of a server of their own, one at a time. They take longest, so they
  // begin first.
  {
    name: 'time',
    testMatch: timeTests,
    workers: 1,
    use: { ...plainBrowser, baseURL: `http://aurora.localhost:${clockPort}` },
    servers: [storeAt(clockPort)],
  },
  {
    name: 'store',
    testMatch: withPictures,
    servers: [storeAt(port)],
  },
  {
    name: 'store without pictures',
    set: 'store',
    testIgnore: [withPictures, timeTests, edgeTests],
    use: plainBrowser,
    servers: [storeAt(port)],
  },
  {
    name: 'edge',
    testMatch: edgeTests,
    use: { baseURL: `http://aurora.localhost:${edgePort}` },
    servers: [storeAt(port), worker],
  },
].filter(({ name, set = name }) => chosen.has(set))

/**
 * The tests run on the production build, in Debian's Chromium, against a store with fresh demo
 * content. Storefront and API run in one process; for the project `edge`, the storefront runs as a
 * Worker before it. `MARQUEE_E2E=store` starts the servers of that project alone.
 */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/e2e',
  // A journey of the console takes two minutes where two slow cores run three tests at once, and
  // three times as long on a machine that does something else.
  timeout: 600_000,
  expect: { timeout: 45_000 },
  fullyParallel: true,
  // A failed test runs again after the others, alone.
  retryStrategy: 'isolated',
  // Some tests wait for films more than they compute. A fourth worker on two cores takes more CPU
  // time for the same tests, and saves none.
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json']],
  use: {
    baseURL: `http://aurora.localhost:${port}`,
    // By default a press waits for as long as the test may take, three times as long if it is slow.
    actionTimeout: 180_000,
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    locale: 'en-US',
    // Tests delay and refuse requests, which a service worker would hide from them. The test of the
    // service worker allows it.
    serviceWorkers: 'block',
    // Headless Chromium's own user agent is treated as a crawler's.
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    timezoneId: 'Asia/Seoul',
    // The tests of a worker share a context, which is emptied between them: a page then takes a
    // seventh less CPU time, because compiled scripts and files are kept.
    reuseContext: true,
    // Animations, drawn without a graphics processor, take a fifth of the browser's CPU time. Tests
    // of dialogs, menus and navigation allow them.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions,
  },
  projects: projects.map(({ servers: _, set: _set, ...project }) => project),
  webServer: [...new Map(projects.flatMap(({ servers }) => servers).map((server) => [server.url, server])).values()],
})
