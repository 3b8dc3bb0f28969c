/**
 * Everything that must hold, in the order in which a fault is found soonest. Each step prints its time; the last line counts
 * tests of all runners, a step without tests of its own counting as one.
 *
 *   npm test                 all of it
 *   npm run check            the fast part: types, lint, format, dead code, messages
 *   npm test -- api          only the steps whose name begins with one of the words
 *   npm test -- --changed    the fast part, and the tests that uncommitted changes touch
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { devNull } from 'node:os'
import { resolve } from 'node:path'
import { ensureChromium } from './chromium.ts'
import { ensureFfmpeg } from './ffmpeg.ts'

interface Count {
  passed: number
  failed: number
  skipped: number
  /** Journeys that passed at their second try: they count as passed, and are named at the end. */
  flaky?: string[]
  /** What the step had to say, where it ran beside others. */
  said?: string
}

interface Step {
  name: string
  /** Of the fast part, whose steps run side by side: each uses one core, and touches nothing that another reads. */
  fast?: boolean
  /** Left out of `--changed`. */
  whole?: boolean
  run: () => Promise<Count>
}

const reports = 'test-results'
/** Only what the changes since the last commit touch, of the runners that know it. */
const isChangedOnly = process.argv.includes('--changed')
const environment: NodeJS.ProcessEnv = { ...process.env, FORCE_COLOR: '0', NO_COLOR: '1', MARQUEE_ENV_FILE: devNull }

function execute(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<boolean> {
  return new Promise((ended) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...environment, ...env } })
    child.once('error', () => ended(false))
    child.once('exit', (code) => ended(code === 0))
  })
}

/** The same, with its words kept to be printed together. */
function overhear(command: string, args: string[]): Promise<{ ok: boolean; said: string }> {
  return new Promise((ended) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: environment })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        said += part
      })
    child.once('error', (error) => ended({ ok: false, said: `${said}${error.message}\n` }))
    child.once('close', (code) => ended({ ok: code === 0, said }))
  })
}

const one = (ok: boolean): Count => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 })
const checks =
  (command: string, ...args: string[]) =>
  async () =>
    one(await execute(command, args))

const checksBeside =
  (command: string, ...args: string[]) =>
  async () => {
    const { ok, said } = await overhear(command, args)
    return { ...one(ok), said }
  }

/** As with the journeys: what is late once, on a machine that does other things, gets a second try. */
async function vitest(): Promise<Count> {
  ensureFfmpeg()
  const file = `${reports}/vitest.json`
  const ok = await execute('vitest', [
    'run',
    '--retry=1',
    // Some tests wait for storages, time-outs and killed processes: three fill two cores.
    '--maxWorkers=3',
    ...(isChangedOnly ? ['--changed', '--passWithNoTests'] : []),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ])
  return counted(ok, () => {
    const report = JSON.parse(readFileSync(file, 'utf8'))
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + report.numTodoTests,
    }
  })
}

/** A machine that does other things at the same time may be late once. What needed the second try is named at the end. */
function journeys(project: 'store' | 'edge') {
  // What moves the stores' clocks comes after everything else.
  const projects = project === 'store' ? ['store', 'time'] : [project]
  return async (): Promise<Count> => {
    ensureFfmpeg()
    const file = `${reports}/${project}.json`
    const ok = await execute(
      'playwright',
      [
        'test',
        ...['--config', 'tests/e2e/playwright.config.ts', '--retries', '1'],
        ...(isChangedOnly ? ['--only-changed', '--pass-with-no-tests'] : []),
        ...projects.flatMap((name) => ['--project', name]),
      ],
      {
        MARQUEE_E2E: project,
        CHROMIUM_PATH: ensureChromium(),
        // A relative one would be taken from the configuration's folder.
        PLAYWRIGHT_JSON_OUTPUT_NAME: resolve(file),
      },
    )
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

/** A runner that failed without a failed test (it could not even begin) counts as one failure. */
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
  { name: 'types', fast: true, run: checksBeside('tsc', '--noEmit') },
  {
    name: 'lint and format',
    fast: true,
    run: checksBeside('biome', 'ci', '--colors=off', '--diagnostic-level=error', '.'),
  },
  { name: 'dead code', fast: true, run: checksBeside('knip') },
  { name: 'messages', fast: true, run: checksBeside('node', 'scripts/messages.ts') },
  // Some tests ask the built store.
  { name: 'build', run: checks('npm', 'run', 'build') },
  { name: 'api, units and architecture', run: vitest },
  { name: 'journeys', run: journeys('store') },
  { name: 'edge build', whole: true, run: checks('npm', 'run', 'build:edge') },
  { name: 'edge journey', whole: true, run: journeys('edge') },
]

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isChosen = (step: Step) => {
  if (process.argv.includes('--fast')) return step.fast
  if (isChangedOnly && step.whole) return false
  return words.length === 0 || words.some((word) => step.name.startsWith(word))
}
const chosen = steps.filter(isChosen)

rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })

const total = { passed: 0, failed: 0, skipped: 0, flaky: [] as string[] }

const timed = async (step: Step) => {
  const begun = performance.now()
  const count = await step.run().catch((error: Error): Count => ({ ...one(false), said: `${error.message}\n` }))
  return { count, seconds: ((performance.now() - begun) / 1000).toFixed(1) }
}
type Timed = Awaited<ReturnType<typeof timed>>

const heading = (step: Step) => console.log(`\n[${chosen.indexOf(step) + 1}/${chosen.length}] ${step.name}`)

const conclude = ({ name }: Step, { count, seconds }: Timed) => {
  total.passed += count.passed
  total.failed += count.failed
  total.skipped += count.skipped
  total.flaky.push(...(count.flaky ?? []))
  process.stdout.write(count.said ?? '')
  console.log(`${count.failed === 0 ? 'ok' : 'FAILED'}: ${name} in ${seconds} s`)
}

const beside = chosen.filter(({ fast }) => fast).map((step) => ({ step, ended: timed(step) }))
for (const { step, ended } of beside) {
  const answer = await ended
  heading(step)
  conclude(step, answer)
}
for (const step of chosen.filter(({ fast }) => !fast)) {
  heading(step)
  conclude(step, await timed(step))
}

for (const journey of total.flaky) console.log(`\nflaky, passed at the second try: ${journey}`)
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`)
process.exitCode = total.failed === 0 ? 0 : 1
