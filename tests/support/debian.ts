import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** apt-get waits for others that install, but not for those that read the lists. */
const lock = '/tmp/marquee-tests-apt.lock'

/**
 * Installs a program of Debian where the tests run as root.
 *
 * @param programs Their paths, which may be patterns
 * @returns null, or why the program is missing, in a sentence
 */
export const installFromDebian = async (
  name: string,
  programs: string[],
  packages: string[],
): Promise<string | null> => {
  if (programs.every((program) => globSync(program).length > 0)) return null
  if (process.getuid?.() !== 0) return `${name} is not installed, and only root could install it.`
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const aptGet = (...args: string[]) =>
    run('flock', [lock, 'apt-get', ...args, '-q', '-o', 'DPkg::Lock::Timeout=120'], { env, timeout: 300_000 })
  try {
    await aptGet('update')
    await aptGet('install', '-y', '--no-install-recommends', ...packages)
    return null
  } catch (error) {
    return `${name} cannot be installed here: ${(error as Error).message.split('\n')[0]}`
  }
}
