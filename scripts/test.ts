/**
 * Runs all checks and tests, the fastest first. Each step prints its time. The last line counts the
 * tests of all runners; a step without tests counts as one.
 *
 *   npm test                 all of it
 *   npm run check            the fast part: types, lint, format, dead code, messages
 *   npm test -- api          only the steps whose name begins with one of the words
 *   npm test -- --changed    the fast part, and the tests that changes touch: those that are not
 *                            committed, and the commits since the branch left main
 *   npm test -- --changed=x  the same, with the commits since it left the branch, tag or commit x
 */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { devNull } from 'node:os'
import { join, resolve } from 'node:path'
import { memoryFolder } from '../tests/support/memory-folder.ts'
import { ensureChromium } from './chromium.ts'
import { clusterObstacle, clusterPart } from './cluster-tests.ts'
import { ensureFfmpeg } from './ffmpeg.ts'

interface Count {
  passed: number
  failed: number
  skipped: number
  /** Tests that passed at the second attempt. They count as passed and are listed at the end. */
  flaky?: string[]
  /** What a step printed that ran in parallel. Printed if no test passed, or one failed. */
  output?: string
}

interface Step {
  name: string
  /** Part of `npm run check`. */
  fast?: boolean
  /**
   * Steps of a group run at the same time. None of them writes what another reads. All but the
   * first print only their failures.
   */
  group?: 'checks' | 'databases'
  /** Does not run with `--changed`. */
  whole?: boolean
  run: () => Promise<Count>
}

const reports = 'test-results'
const changedFlag = process.argv.find((word) => /^--changed(=|$)/.test(word))
/** Whether only tests that changes touch run. */
const isChangedOnly = changedFlag !== undefined
const environment: NodeJS.ProcessEnv = { ...process.env, FORCE_COLOR: '0', NO_COLOR: '1', MARQUEE_ENV_FILE: devNull }

function execute(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<boolean> {
  return new Promise((ended) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...environment, ...env } })
    child.once('error', () => ended(false))
    child.once('exit', (code) => ended(code === 0))
  })
}

/** Executes a command and returns its output, so that it can be printed as a whole. */
function executeQuietly(
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ ok: boolean; output: string }> {
  return new Promise((ended) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...environment, ...env } })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        output += part
      })
    child.once('error', (error) => ended({ ok: false, output: `${output}${error.message}\n` }))
    child.once('close', (code) => ended({ ok: code === 0, output }))
  })
}

const git = (...args: string[]) => {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

/**
 * The commit where this branch left the one given, or main. Both runners add the changes that are
 * not committed.
 */
function changedSince(): string {
  const chosenRef = changedFlag?.split('=', 2)[1]
  const base = (chosenRef ? [chosenRef] : ['upstream/main', 'origin/main', 'main']).find((ref) =>
    git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`),
  )
  const commit = base && git('merge-base', base, 'HEAD')
  if (!commit) throw new Error(`--changed compares with ${chosenRef ?? 'main'}, which git does not know.`)
  return commit
}

const one = (ok: boolean): Count => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 })
const checks =
  (command: string, ...args: string[]) =>
  async () => {
    const { ok, output } = await executeQuietly(command, args)
    return { ...one(ok), output }
  }

/** Programs that the tests run, installed once, while the builds run. */
let programs: Promise<{ chromium: string }> | undefined
const ensurePrograms = () => {
  programs ??= Promise.all([ensureFfmpeg(), ensureChromium()]).then(([, chromium]) => ({ chromium }))
  return programs
}

/** A busy machine may delay a test past its time-out, so a failed test gets a second attempt. */
async function vitest(): Promise<Count> {
  await ensurePrograms()
  const file = `${reports}/vitest.json`
  const ok = await execute('vitest', [
    'run',
    '--retry=1',
    ...(isChangedOnly ? ['--changed', changedSince(), '--passWithNoTests'] : []),
    '--reporter=default',
    '--reporter=json',
    '--reporter=./tests/support/flaky-reporter.ts',
    `--outputFile.json=${file}`,
  ])
  return counted(ok, () => {
    const report = JSON.parse(readFileSync(file, 'utf8'))
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + report.numTodoTests,
      flaky: JSON.parse(readFileSync(`${reports}/vitest-flaky.json`, 'utf8')),
    }
  })
}

/** Tests on a cluster of Citus, where the program that makes one is. */
async function clusterTests(): Promise<Count> {
  const obstacle = clusterObstacle()
  if (obstacle) return { passed: 0, failed: 0, skipped: 0, output: `The cluster is not tried: ${obstacle}.\n` }
  const file = `${reports}/cluster.json`
  const args = ['--retry=1', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const { ok, output } = await executeQuietly('vitest', ['run', '--project', 'api', ...args, ...clusterPart], {
    TEST_CLUSTER: 'true',
  })
  const count = counted(ok, () => {
    const report = JSON.parse(readFileSync(file, 'utf8'))
    return { passed: report.numPassedTests, failed: report.numFailedTests, skipped: report.numPendingTests }
  })
  return { ...count, output }
}

/**
 * As with Vitest, a failed test gets a second attempt. That waits until the others have ended, so
 * that a busy machine delays nothing past its time-out.
 */
async function browserTests(): Promise<Count> {
  const { chromium } = await ensurePrograms()
  const file = `${reports}/e2e.json`
  // The data of the stores: they are removed after the run.
  const folder = mkdtempSync(join(memoryFolder(), 'marquee-e2e-'))
  chmodSync(folder, 0o755)
  const ok = await execute(
    'playwright',
    [
      'test',
      ...['--config', 'tests/e2e/playwright.config.ts', '--retries', '1'],
      ...(isChangedOnly ? [`--only-changed=${changedSince()}`, '--pass-with-no-tests'] : []),
    ],
    {
      // There is no edge build with `--changed`.
      MARQUEE_E2E: isChangedOnly ? 'store,time' : 'store,time,edge',
      CHROMIUM_PATH: chromium,
      // Playwright resolves a relative path from the configuration's folder.
      PLAYWRIGHT_JSON_OUTPUT_NAME: resolve(file),
      TMPDIR: folder,
      // Compiled tests, which are kept for later runs.
      PWTEST_CACHE_DIR: resolve('node_modules/.cache/playwright'),
    },
  )
  // A database that is stopping still writes.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
  return counted(ok, () => {
    const { stats, suites } = JSON.parse(readFileSync(file, 'utf8'))
    return {
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected,
      skipped: stats.skipped,
      flaky: flakyIn(suites),
    }
  })
}

interface Suite {
  suites?: Suite[]
  specs?: { title: string; file: string; line: number; tests: { status: string }[] }[]
}

const flakyIn = (suites: Suite[] = []): string[] =>
  suites.flatMap((suite) => [
    ...flakyIn(suite.suites),
    ...(suite.specs ?? [])
      .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
      .map(({ file, line, title }) => `${file}:${line} ${title}`),
  ])

/**
 * A runner that failed without a failed test, for example because it did not start, counts as one
 * failure.
 */
function counted(ok: boolean, read: () => Count): Count {
  try {
    const count = read()
    return ok || count.failed > 0 ? count : { ...count, failed: 1 }
  } catch {
    // With no test to run, there may be no report.
    return ok && isChangedOnly ? { passed: 0, failed: 0, skipped: 0 } : one(false)
  }
}

const steps: Step[] = [
  { name: 'types', fast: true, group: 'checks', run: checks('tsc', '--noEmit') },
  { name: 'types of the console', fast: true, group: 'checks', run: checks('tsc', '--noEmit', '--project', 'admin') },
  {
    name: 'lint and format',
    fast: true,
    group: 'checks',
    run: checks('biome', 'ci', '--colors=off', '--diagnostic-level=error', '.'),
  },
  { name: 'dead code', fast: true, group: 'checks', run: checks('knip') },
  { name: 'messages', fast: true, group: 'checks', run: checks('node', 'scripts/messages.ts') },
  // Tests send requests to the built store.
  { name: 'build', group: 'checks', run: checks('npm', 'run', 'build') },
  { name: 'edge build', whole: true, run: checks('node', 'scripts/build.ts', '--target', 'cloudflare', '--pack') },
  { name: 'api, units and architecture', group: 'databases', run: vitest },
  { name: 'cluster', whole: true, group: 'databases', run: clusterTests },
  { name: 'e2e', run: browserTests },
]

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isChosen = (step: Step) => {
  if (process.argv.includes('--fast')) return step.fast
  if (isChangedOnly && step.whole) return false
  if (words.length === 0) return true
  const isNamed = (name: string) => words.some((word) => name.startsWith(word))
  // The browser tests need both builds.
  return isNamed(step.name) || (isNamed('e2e') && step.name.endsWith('build'))
}
const chosen = steps.filter(isChosen)

rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })

const total = { passed: 0, failed: 0, skipped: 0, flaky: [] as string[], failedSteps: [] as string[] }

const timed = async (step: Step) => {
  const begun = performance.now()
  const count = await step.run().catch((error: Error): Count => ({ ...one(false), output: `${error.message}\n` }))
  return { count, seconds: ((performance.now() - begun) / 1000).toFixed(1) }
}
type Timed = Awaited<ReturnType<typeof timed>>

const heading = (step: Step) => console.log(`\n[${chosen.indexOf(step) + 1}/${chosen.length}] ${step.name}`)

const conclude = ({ name }: Step, { count, seconds }: Timed) => {
  total.passed += count.passed
  total.failed += count.failed
  total.skipped += count.skipped
  total.flaky.push(...(count.flaky ?? []))
  if (count.failed > 0 || count.passed === 0) process.stdout.write(count.output ?? '')
  if (count.failed > 0) total.failedSteps.push(name)
  console.log(`${count.failed === 0 ? 'ok' : 'FAILED'}: ${name} in ${seconds} s`)
}

// A failure is reported by the step that needs the programs.
if (chosen.some(({ run }) => run === vitest || run === browserTests)) ensurePrograms().catch(() => undefined)
for (const together of Map.groupBy(chosen, ({ group, name }) => group ?? name).values()) {
  const running = together.map((step) => ({ step, ended: timed(step) }))
  for (const { step, ended } of running) {
    heading(step)
    conclude(step, await ended)
  }
}

for (const test of total.flaky) console.log(`\nflaky, passed at the second attempt: ${test}`)
for (const step of total.failedSteps) console.log(`\nfailed: ${step}`)
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`)
process.exitCode = total.failed === 0 ? 0 : 1
