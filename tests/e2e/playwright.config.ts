import { defineConfig } from 'playwright/test'

const port = Number(process.env.E2E_PORT ?? 4173)
const edgePort = port + 1

/** Journeys run on the production build, in Debian's Chromium, against a store with fresh demo content. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/journeys',
  timeout: 60_000,
  expect: { timeout: 10_000 },
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json']],
  use: {
    baseURL: `http://aurora.localhost:${port}`,
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    locale: 'en-US',
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
    { name: 'store', testMatch: /.*\.spec\.ts/, testIgnore: /edge\.spec\.ts/ },
    { name: 'edge', testMatch: /edge\.spec\.ts/, use: { baseURL: `http://aurora.localhost:${edgePort}` } },
  ],
  webServer: {
    command: 'node server/demo.ts --fresh --no-build',
    cwd: '../..',
    url: `http://127.0.0.1:${port}/readyz`,
    timeout: 180_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    stdout: 'ignore',
    stderr: 'pipe',
    env: { PORT: String(port), MARQUEE_DATA: '/tmp/marquee-journeys', NODE_ENV: 'production' },
  },
})
