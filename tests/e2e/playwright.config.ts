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
  command: 'node server/demo.ts --fresh --no-build',
  url: `http://127.0.0.1:${port}/readyz`,
  env: {
    PORT: String(port),
    MARQUEE_DATA: join(tmpdir(), `marquee-e2e-${port}`),
    NODE_ENV: 'production',
    // The Worker speaks for its visitors, and a test for a proxy.
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
 * The tests run on the production build, in Debian's Chromium, against a store with fresh demo content: all in one process, or
 * with `MARQUEE_E2E=edge` the storefront as a Worker and the API apart.
 */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/e2e',
  timeout: 120_000,
  expect: { timeout: 20_000 },
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json']],
  use: {
    baseURL: `http://aurora.localhost:${port}`,
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    locale: 'en-US',
    // Tests hold up and refuse requests themselves. The one of the worker lets it in.
    serviceWorkers: 'block',
    // Without a screen, Chromium's own name is that of a crawler.
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
    // These move the store's time, for whoever else is there: after all others, one after the other.
    ...(onEdge
      ? []
      : [{ name: 'time', testMatch: /(renewals|time-.*)\.spec\.ts/, dependencies: ['store'], workers: 1 }]),
  ],
  webServer: onEdge ? [store, worker] : store,
})
