import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export const debootstrap = '/usr/sbin/debootstrap'
const unshare = '/usr/bin/unshare'

export const project = join(import.meta.dirname, '../..')

const begun = performance.now()
export const say = (text: string) => console.log(`${((performance.now() - begun) / 1000).toFixed(0)} s: ${text}`)
export const place = mkdtempSync(join(tmpdir(), 'marquee-debian-'))

/** A bare Debian with Node 24, which no other use has changed. */
export const freshRoot = (suite: string, name: string, node: string) => {
  const cached = join(tmpdir(), `marquee-debian-root-${suite}`)
  if (!existsSync(cached)) {
    const made = join(place, 'made')
    execFileSync(debootstrap, ['--variant=minbase', suite, made], { stdio: ['ignore', 'ignore', 'inherit'] })
    renameSync(made, cached)
    say(`debootstrap made ${cached}`)
  }
  const root = join(place, name)
  execFileSync('cp', ['-a', cached, root])
  copyFileSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'))
  copyFileSync(process.execPath, join(root, node))
  mkdirSync(join(root, 'src'))
  return root
}

interface Within {
  user?: string
  folder?: string
  env?: Record<string, string>
  /** Folders that can be written, with those of this machine; all of the root by default. */
  writable?: Record<string, string>
}

/** A command within a root, with mounts that end with it. The command takes its process id. */
const inRoot = (root: string, command: string[], { user = 'root', folder = '/', env = {}, writable }: Within = {}) => {
  const script = [
    `mount --bind ${root} ${root}`,
    ...Object.entries(writable ?? {}).map(([to, from]) => `mount --bind ${from} ${root}${to}`),
    // A folder of the root that is mounted afterwards could not be written either.
    ...(writable ? [`mount -o remount,bind,ro ${root}`, `mount -t tmpfs tmpfs ${root}/tmp`] : []),
    `mount --bind ${project} ${root}/src`,
    `mount -t proc proc ${root}/proc`,
    `mount --rbind /dev ${root}/dev`,
    `exec chroot --userspec=${user} ${root} /usr/bin/env -i "$@"`,
  ].join(' && ')
  const variables = Object.entries({ PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...env })
  const given = [
    ...variables.map(([name, value]) => `${name}=${value}`),
    '/bin/sh',
    '-c',
    'cd "$0" && exec "$@"',
    folder,
  ]
  return ['--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', ...given, ...command]
}
export const run = (...given: Parameters<typeof inRoot>) =>
  execFileSync(unshare, inRoot(...given), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** Runs a program of Marquee while `work` does, and expects that SIGTERM ends it in order. */
export const whileRunning = async (given: Parameters<typeof inRoot>, work: (output: () => string) => Promise<void>) => {
  const child = spawn(unshare, inRoot(...given), { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part))
  const ended = once(child, 'exit')
  try {
    await Promise.race([work(() => output), ended.then(() => assert.fail('The program ended early'))])
  } catch (error) {
    console.error(output.slice(-4_000))
    throw error
  } finally {
    child.kill('SIGTERM')
    const [code, signal] = await ended
    say(`SIGTERM ended it with ${code ?? signal}`)
    if (code !== 0) process.exitCode = 1
  }
}

/** Waits until a check passes. */
export const until = async (check: () => unknown) => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await check()
    } catch (error) {
      if (attempt === 60) throw error
      await sleep(1_000)
    }
  }
}

export const statusOf = async (port: number, path: string) =>
  (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: 'text/html' } })).status
