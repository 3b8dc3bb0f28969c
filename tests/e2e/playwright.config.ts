import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'playwright/test'

const port = Number(process.env.E2E_PORT ?? 4173)
const edgePort = port + 1
const onEdge = process.env.MARQUEE_E2E === 'edge'

const shared = {
  cwd: '../..',
  timeout: 180_000,
  gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
  stdout: 'ignore',
  stderr: 'pipe',
} as const

const store = {
  ...shared,
  command: 'node server/launch.ts demo --fresh --no-build',
  url: `http://127.0.0.1:${port}/readyz`,
  env: {
    PORT: String(port),
    MARQUEE_DATA: join(tmpdir(), `marquee-e2e-${port}`),
    NODE_ENV: 'production',
    // The Worker, and one test, send the address of a visitor as a proxy does.
    TRUSTED_PROXIES: '127.0.0.1',
  },
}

const worker = {
  ...shared,
  command: `npm run start:edge -- --port ${edgePort} --inspector-port 0 --var API_URL:http://127.0.0.1:${port}`,
  url: `http://127.0.0.1:${edgePort}/favicon.svg`,
  env: { WRANGLER_HIDE_BANNER: 'true', CI: 'true' },
}

/**
 * The tests run on the production build, in Debian's Chromium, against a store with fresh demo
 * content. Storefront and API run in one process. With `MARQUEE_E2E=edge`, the storefront runs as a
 * Worker, and the API in a process of its own.
 */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/e2e',
  timeout: 120_000,
  expect: { timeout: 20_000 },
  fullyParallel: true,
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json']],
  use: {
    baseURL: `http://aurora.localhost:${port}`,
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    locale: 'en-US',
    // Tests delay and refuse requests, which a service worker would hide from them. The test of the
    // service worker allows it.
    serviceWorkers: 'block',
    // Headless Chromium's own user agent is treated as a crawler's.
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    timezoneId: 'Asia/Seoul',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
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
    },
  },
  projects: [
    onEdge
      ? { name: 'edge', testMatch: /edge\.spec\.ts/, use: { baseURL: `http://aurora.localhost:${edgePort}` } }
      : { name: 'store', testMatch: /.*\.spec\.ts/, testIgnore: /(edge|renewals|time-.*)\.spec\.ts/ },
    // These tests move the store's clock, which affects all tests. They run after the others, one
    // at a time.
    ...(onEdge
      ? []
      : [{ name: 'time', testMatch: /(renewals|time-.*)\.spec\.ts/, dependencies: ['store'], workers: 1 }]),
  ],
  webServer: onEdge ? [store, worker] : store,
})
