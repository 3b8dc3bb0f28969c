import { spawn } from 'node:child_process'
import { expect, inject } from 'vitest'
import { bundledProgram } from './bundled-program.ts'
import type { CrashPlan, CrashRun, CrashStep } from './crash-child.ts'
import type { TestApi } from './test-api.ts'

export type { CrashStep }

/** Runs of one process. Together they need fewer connections than its pool has. */
const runsPerProcess = 6

/**
 * Runs all given steps side by side in a process of their own, and kills it (SIGKILL) once each run
 * has reached its kill point.
 *
 * @returns the number of kill points that each run has passed
 */
const runAndKill = async (api: TestApi, runs: readonly CrashRun[]): Promise<number[]> => {
  const plan: CrashPlan = {
    databaseUrl: inject('database').url,
    jobsDatabaseUrl: inject('database').jobsUrl,
    secret: api.deps.secret,
    ahead: api.clock.now().getTime() - Date.now(),
    runs,
  }
  const child = await bundledProgram('tests/support/crash-child.ts')
  const isKilled = runs.some(({ killAt }) => killAt > 0)
  return new Promise((resolve, reject) => {
    // The program is loaded faster without collections of short-lived objects.
    const args = ['--max-semi-space-size=64', child, JSON.stringify(plan)]
    const running = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let [out, err] = ['', '']
    running.stdout.on('data', (part) => {
      out += part
    })
    running.stderr.on('data', (part) => {
      err += part
    })
    running.once('error', reject)
    running.once('close', (code, signal) => {
      if (signal === 'SIGKILL' ? isKilled : code === 0) resolve(JSON.parse(out))
      else reject(new Error(err || `The process ended with ${signal ?? code}`))
    })
  })
}

/**
 * Runs a scenario once to its end, to count its kill points, then once for each of them, and kills
 * it there. At most `maxKillPoints` are tried, spread over all.
 *
 * @returns the number of kill points
 */
export const atEachKillPoint = async <Scenario>(
  api: TestApi,
  {
    prepare,
    restart,
    check,
    maxKillPoints,
  }: {
    /** Prepares one run, in a tenant of its own: no run waits for a lock of another. */
    prepare: () => Promise<{ scenario: Scenario; steps: CrashStep[] }>
    /** Runs the background work as after a restart. */
    restart: (scenarios: readonly Scenario[]) => Promise<void>
    /** Checks the state at the end. `killAt` is zero for the run that was not killed. */
    check: (scenario: Scenario, killAt: number) => Promise<void>
    maxKillPoints: number
  },
) => {
  const whole = await prepare()
  const [killPoints = 0] = await runAndKill(api, [{ steps: whole.steps, killAt: 0 }])
  await check(whole.scenario, 0)
  const tried = Math.min(maxKillPoints, killPoints)
  const runs = await Promise.all(
    Array.from({ length: tried }, async (_, at) => ({
      ...(await prepare()),
      killAt: Math.round(1 + (at * (killPoints - 1)) / Math.max(1, tried - 1)),
    })),
  )
  for (let from = 0; from < tried; from += runsPerProcess) {
    const together = runs.slice(from, from + runsPerProcess)
    const passed = await runAndKill(
      api,
      together.map(({ steps, killAt }) => ({ steps, killAt })),
    )
    expect(passed).toEqual(together.map(({ killAt }) => killAt))
  }
  await restart(runs.map(({ scenario }) => scenario))
  for (const { scenario, killAt } of runs) await check(scenario, killAt)
  return killPoints
}
