import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import type { CrashOrders, CrashStep } from './crash-child.ts'
import type { TestApi } from './test-api.ts'

const child = fileURLToPath(new URL('./crash-child.ts', import.meta.url))

export type { CrashStep }

/**
 * Does the steps in a process of their own, and kills it (SIGKILL) at a moment: before or after one of its commits. Answers whether
 * it was killed, and how many moments it had lived through when it was not.
 */
export const doAndDie = (
  api: TestApi,
  steps: readonly CrashStep[],
  killAt: number,
): Promise<{ killed: boolean; moments: number }> => {
  const orders: CrashOrders = {
    databaseUrl: inject('database').url,
    secret: api.deps.secret,
    ahead: api.clock.now().getTime() - Date.now(),
    killAt,
    steps,
  }
  return new Promise((resolve, reject) => {
    const running = spawn(process.execPath, [child, JSON.stringify(orders)], { stdio: ['ignore', 'pipe', 'pipe'] })
    let [out, err] = ['', '']
    running.stdout.on('data', (part) => {
      out += part
    })
    running.stderr.on('data', (part) => {
      err += part
    })
    running.once('error', reject)
    running.once('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve({ killed: true, moments: killAt })
      else if (code === 0) resolve({ killed: false, moments: JSON.parse(out).moments })
      else reject(new Error(err || `The process ended with ${code}`))
    })
  })
}
