import { devNull } from 'node:os'
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import babel from '@rolldown/plugin-babel'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { laterRouteTrees } from './scripts/later-routes.ts'
import { messageFiles } from './scripts/message-files.ts'
import { LongestFirst } from './tests/support/longest-first.ts'

/**
 * Packages of many files, each bundled into one: loading them file by file takes a process most of
 * a second. For each file of drizzle-orm, Node parses the package's package.json of 179 kB.
 */
const bundledPackages = [
  ...['drizzle-orm', 'drizzle-orm/pg-core', 'drizzle-orm/node-postgres', 'drizzle-orm/node-postgres/migrator'],
  ...['@portone/server-sdk/payment', '@portone/server-sdk/webhook', 'stripe'],
  ...['libphonenumber-js/min', 'nodemailer', 'sanitize-html'],
]

const globalSetup = ['tests/support/global-setup.ts']
const isCluster = process.env.TEST_CLUSTER === 'true'

/**
 * Three projects: `unit` needs neither a database nor a compiler, `api` starts PostgreSQL, `app`
 * compiles messages and components. `npx vitest run <file>` starts only what that file needs.
 */
export default defineConfig({
  // A run on a cluster may go on beside one without.
  cacheDir: isCluster ? 'node_modules/.vite-cluster' : 'node_modules/.vite',
  resolve: { tsconfigPaths: true },
  test: {
    environment: 'node',
    // Tests start databases and run races, possibly on a busy machine. A statement of a cluster is
    // work of two nodes, on the same cores.
    testTimeout: isCluster ? 120_000 : 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // Tests do not read a developer's environment file.
    env: { MARQUEE_ENV_FILE: devNull },
    sequence: { sequencer: LongestFirst },
    // Some tests wait for storage, time-outs and killed processes, so three workers use two cores.
    maxWorkers: isCluster ? 1 : 3,
    // The test files of a worker share the modules, so that these are loaded once. A test restores
    // what it changes in them.
    isolate: false,
    // Fewer collections of short-lived objects: they are 8 % of a worker's time with the default.
    execArgv: ['--max-semi-space-size=64'],
    // Tests spy on the methods of pg, which must exist only once.
    deps: { optimizer: { ssr: { enabled: true, include: bundledPackages, exclude: ['pg'] } } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            '{api,app,admin,contract,server,cli}/**/*.test.ts',
            'tests/{architecture,media}/**/*.test.ts',
            'tests/conformance/completeness.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: { name: 'api', include: ['tests/{api,deploy,server}/**/*.test.ts'], globalSetup },
      },
      {
        extends: true,
        plugins: [
          react(),
          lingui(),
          babel({ presets: [linguiTransformerBabelPreset()] }),
          messageFiles(),
          laterRouteTrees(),
        ],
        define: { 'import.meta.env.MARQUEE_BUILD_ID': JSON.stringify('test') },
        test: {
          name: 'app',
          include: ['tests/{app,ui,conformance}/**/*.test.{ts,tsx}'],
          exclude: ['tests/conformance/completeness.test.ts'],
          globalSetup,
        },
      },
    ],
  },
})
