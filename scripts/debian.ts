import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'

async function aptGet(...args: string[]): Promise<void> {
  const child = spawn('apt-get', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  await once(child, 'close').catch(() => undefined)
}

/** Only one apt-get can install at a time. */
let installing: Promise<unknown> = Promise.resolve()
let listed: Promise<void> | undefined

/**
 * Installs packages of Debian where that is allowed, as on a build machine; answers whether it was
 * tried.
 */
export async function installFromDebian(...packages: string[]): Promise<boolean> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  console.log(`Installing ${packages.join(' and ')} from Debian (about a minute).`)
  const before = installing
  const install = async () => {
    await before
    listed ??= aptGet('update', '-qq')
    await listed
    await aptGet('install', '-y', '-qq', '--no-install-recommends', ...packages)
  }
  installing = install()
  await installing
  return true
}
