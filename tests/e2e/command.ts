import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The operators' command, beside the store that runs. */
export const command = (baseURL: string, args: readonly string[]) => {
  const folder = process.env.MARQUEE_DATA ?? join(tmpdir(), `marquee-e2e-${new URL(baseURL).port}`)
  return run('node', ['server/launch.js', 'cli', ...args], { env: { ...process.env, MARQUEE_DATA: folder } })
}
