/**
 * Runs Lighthouse on the pages of a running store, as for a phone, and records its figures. Nothing
 * here fails. By itself: `npm run node -- tests/bench/lighthouse.ts --rounds 5`. The first run
 * installs Lighthouse in a folder of its own: it is large, and nothing else needs it.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ensureChromium } from '../../scripts/chromium.ts'
import { median, printFigures, record } from './figures.ts'
import { type BenchStore, option, startStore } from './store.ts'

const version = '13.5.0'
const folder = join(import.meta.dirname, `../../node_modules/.cache/lighthouse-${version}`)
const program = join(folder, 'node_modules/lighthouse/cli/index.js')
const run = promisify(execFile)

interface Report {
  categories: { performance: { score: number | null } }
  audits: Record<string, { numericValue?: number }>
}

/** Throws if npm cannot install it. */
async function ensureLighthouse(): Promise<void> {
  if (existsSync(program)) return
  await mkdir(folder, { recursive: true })
  await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, `lighthouse@${version}`])
}

/** One run of Lighthouse with its own settings for a phone: slow 4G and a quarter of the CPU. */
async function reportOf(address: string, chromium: string): Promise<Report> {
  const settings = [
    '--quiet',
    '--output=json',
    '--only-categories=performance',
    '--chrome-flags=--headless --no-sandbox --disable-gpu',
  ]
  const { stdout } = await run(process.execPath, [program, address, ...settings], {
    env: { ...process.env, CHROME_PATH: chromium },
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(stdout)
}

/** Measures home, list, product and Hangang's home `rounds` times, and records the medians. */
export async function measureWithLighthouse(store: BenchStore, rounds: number): Promise<void> {
  await ensureLighthouse()
  const chromium = await ensureChromium()
  for (const [name, tenant, path] of [
    ['home', 'aurora', '/'],
    ['list', 'aurora', '/products'],
    ['product', 'aurora', '/products/the-last-light'],
    ['Hangang’s home', 'hangang', '/'],
  ]) {
    const reports: Report[] = []
    for (let round = 0; round < rounds; round++)
      reports.push(await reportOf(`http://${tenant}.localhost:${store.port}${path}`, chromium))
    const of = (audit: string) => median(reports.map(({ audits }) => audits[audit]?.numericValue ?? Number.NaN))
    const score = median(reports.map(({ categories }) => (categories.performance.score ?? Number.NaN) * 100))
    record(`${name}: Lighthouse, phone`, score, 'points', { atLeast: 97 })
    record(`${name}: Lighthouse, first paint`, of('first-contentful-paint') / 1000, 's', { atMost: 1 })
    record(`${name}: Lighthouse, largest paint`, of('largest-contentful-paint') / 1000, 's', { atMost: 1.9 })
    record(`${name}: Lighthouse, blocking time`, of('total-blocking-time'), 'ms', { atMost: 80 })
    record(`${name}: Lighthouse, speed index`, of('speed-index') / 1000, 's')
    record(`${name}: Lighthouse, layout shift`, of('cumulative-layout-shift'), 'CLS')
  }
}

if (import.meta.main) {
  using store = await startStore()
  await measureWithLighthouse(store, option('rounds', 3))
  printFigures()
}
