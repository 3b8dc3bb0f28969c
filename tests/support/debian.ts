import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Installs a program of Debian where the tests run as root.
 *
 * @returns null, or why the program is missing, in a sentence
 */
export const installFromDebian = async (
  name: string,
  programs: string[],
  packages: string[],
): Promise<string | null> => {
  if (programs.every((program) => existsSync(program))) return null
  if (process.getuid?.() !== 0) return `${name} is not installed, and only root could install it.`
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  // Another test may be installing something of its own.
  const aptOptions = ['-q', '-o', 'DPkg::Lock::Timeout=120']
  try {
    await run('apt-get', ['update', ...aptOptions], { env, timeout: 60_000 })
    await run('apt-get', ['install', ...aptOptions, '-y', '--no-install-recommends', ...packages], {
      env,
      timeout: 240_000,
    })
    return null
  } catch (error) {
    return `${name} cannot be installed here: ${(error as Error).message.split('\n')[0]}`
  }
}
