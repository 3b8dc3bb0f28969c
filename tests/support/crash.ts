import { spawn } from 'node:child_process'
import { expect, inject } from 'vitest'
import { bundledProgram } from './bundled-program.ts'
import type { CrashPlan, CrashStep } from './crash-child.ts'
import type { TestApi } from './test-api.ts'

export type { CrashStep }

/**
 * Runs the steps in a process of their own and kills it (SIGKILL) before or after one of its
 * commits.
 *
 * @returns whether it was killed; if not, the number of kill points it passed
 */
const runAndKill = async (
  api: TestApi,
  steps: readonly CrashStep[],
  killAt: number,
): Promise<{ killed: boolean; killPoints: number }> => {
  const plan: CrashPlan = {
    databaseUrl: inject('database').url,
    secret: api.deps.secret,
    ahead: api.clock.now().getTime() - Date.now(),
    killAt,
    steps,
  }
  const child = await bundledProgram('tests/support/crash-child.ts')
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
      if (signal === 'SIGKILL') resolve({ killed: true, killPoints: killAt })
      else if (code === 0) resolve({ killed: false, killPoints: JSON.parse(out).killPoints })
      else reject(new Error(err || `The process ended with ${code}`))
    })
  })
}

/**
 * Runs a scenario once to its end, to count its kill points, then once for each of them, from the
 * first to the last, and kills it there. At most `maxKillPoints` are tried, spread over all: each
 * starts a process of its own.
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
    prepare: () => Promise<{ scenario: Scenario; steps: CrashStep[] }>
    /** Runs the background work as after a restart. */
    restart: () => Promise<void>
    /** Checks the state at the end. `killAt` is zero for the run that was not killed. */
    check: (scenario: Scenario, killAt: number) => Promise<void>
    maxKillPoints: number
  },
) => {
  const whole = await prepare()
  const { killPoints } = await runAndKill(api, whole.steps, 0)
  await check(whole.scenario, 0)
  const tried = Math.min(maxKillPoints, killPoints)
  for (let number = 1; number <= tried; number++) {
    const killAt = Math.round(1 + ((number - 1) * (killPoints - 1)) / Math.max(1, tried - 1))
    const { scenario, steps } = await prepare()
    const { killed } = await runAndKill(api, steps, killAt)
    expect(killed).toBe(true)
    await restart()
    await check(scenario, killAt)
  }
  return killPoints
}
