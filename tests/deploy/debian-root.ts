/**
 * Tries files of `deploy` in a bare Debian, without Docker and systemd:
 *
 *   npm run build && npm run test:debian
 *
 * The last stage of the Dockerfile: its RUN, then its CMD and HEALTHCHECK as its user on a
 * read-only root. Then the lines of the guide to systemd up to `systemctl`, and the programs of
 * the units as their user, on a root of which they write only their folders. The bare Debian is
 * kept in the folder of temporary files. Needs root and the internet; elsewhere it says so.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installFromDebian } from '../support/debian.ts'
import { freePort } from '../support/free-port.ts'

const debootstrap = '/usr/sbin/debootstrap'
const unshare = '/usr/bin/unshare'

const project = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(project, path), 'utf8')
const found = (text: string, pattern: RegExp) => pattern.exec(text)?.[1] ?? assert.fail(`There is no ${pattern}`)

/** The instructions of the last stage, each with its words on one line. */
const instructions = (
  read('deploy/Dockerfile')
    .split(/^(?=FROM )/m)
    .at(-1) ?? ''
)
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => ({ name: found(line, /^(\w+)/), text: line.replace(/^\w+\s+/, '') }))
const instruction = (name: string) =>
  instructions.find((one) => one.name === name)?.text ?? assert.fail(`The last stage has no ${name}`)
const suite = found(instruction('FROM'), /^node:24-(\w+)-slim$/)
const folderOfApp = instruction('WORKDIR')
const volume: string = JSON.parse(instruction('VOLUME'))[0]
const wordsOf = (command: string): string[] => JSON.parse(found(command, /(\[.*\])/))

const begun = performance.now()
const say = (text: string) => console.log(`${((performance.now() - begun) / 1000).toFixed(0)} s: ${text}`)
const place = mkdtempSync(join(tmpdir(), 'marquee-debian-'))

/** A bare Debian with Node 24, which no other use has changed. */
const freshRoot = (name: string, node: string) => {
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
const run = (...given: Parameters<typeof inRoot>) =>
  execFileSync(unshare, inRoot(...given), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** Runs a program of Marquee while `work` does, and expects that SIGTERM ends it in order. */
const whileRunning = async (given: Parameters<typeof inRoot>, work: (output: () => string) => Promise<void>) => {
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
const until = async (check: () => unknown) => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await check()
    } catch (error) {
      if (attempt === 60) throw error
      await sleep(1_000)
    }
  }
}

const statusOf = async (port: number, path: string) =>
  (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: 'text/html' } })).status

const guide = read('docs/guides/deploy.md')

const tryImage = async () => {
  const root = freshRoot('image', 'usr/local/bin/node')
  run(root, ['/bin/sh', '-c', instruction('RUN')])
  say('RUN')
  const [from = '', to = ''] = found(instruction('COPY'), /^--from=build (.*)$/).split(' ')
  execFileSync('cp', ['-a', from.replace('/src', project), join(root, to)])
  const data = join(place, 'volume')
  mkdirSync(data)
  const user = instruction('USER')
  const [uid = 0, gid = 0] = user.split(':').map(Number)
  chownSync(data, uid, gid)
  const port = await freePort()
  const variables = Object.fromEntries(
    instruction('ENV')
      .split(/\s+/)
      .map((pair) => pair.split('=', 2)),
  )
  // This machine has no network of its own for it.
  const env = { ...variables, HOST: '127.0.0.1', PORT: String(port), DEFAULT_CUSTOMER_CODE: 'acme' }
  const within = { user, folder: folderOfApp, env, writable: { [volume]: data } }
  assert.throws(() => run(root, ['touch', join(folderOfApp, 'written')], within), /Read-only file system/)
  await whileRunning([root, wordsOf(instruction('CMD')), within], async () => {
    await until(() => run(root, wordsOf(instruction('HEALTHCHECK')), within))
    say('CMD on a read-only root, HEALTHCHECK passes')
    const create = found(guide, /^docker compose exec store (node cli\.mjs customer create .*)$/m)
    run(root, ['/bin/sh', '-c', create], within)
    run(root, ['node', 'cli.mjs', 'customer', 'open', 'acme', '--force'], within)
    assert.equal(await statusOf(port, '/'), 200)
    const findings = run(root, ['/bin/sh', '-c', 'node cli.mjs doctor || true'], within)
    for (const line of ['✓ Database: ', '✓ Media: ', '✓ Videos: /usr/bin/ffmpeg'])
      assert.ok(findings.includes(line), findings)
    say(`a page, and ${create}`)
  })
}

const tryUnits = async () => {
  const root = freshRoot('systemd', 'usr/bin/node')
  const block = found(guide, /## systemd[\s\S]*?```sh\n([^`]*)```/)
    .split('\n')
    .filter((line) => line !== '')
  const lines = block.slice(
    0,
    block.findIndex((line) => line.startsWith('systemctl')),
  )
  const [built, ...install] = lines
  // The present build is tried.
  assert.equal(built, 'npm ci && npm run build')
  mkdirSync(join(root, 'etc/systemd/system'), { recursive: true })
  run(root, ['/bin/sh', '-ec', install.join('\n')], { folder: '/src' })
  // "Then edit it."
  run(root, ['sed', '-i', `s/^MARQUEE_SECRET=.*/MARQUEE_SECRET=${'s'.repeat(44)}/`, '/etc/marquee/marquee.env'])
  say(`${install.length} lines of the guide to systemd`)
  const port = await freePort()
  const unitOf = (name: string) => readFileSync(join(root, 'etc/systemd/system', name), 'utf8')
  const unit = unitOf('marquee@.service').replaceAll('%i', String(port))
  const settingOf = (text: string, name: string) => found(text, new RegExp(`^${name}=(.*)$`, 'm'))
  const setting = (name: string) => settingOf(unit, name)
  const environmentOf = (text: string) =>
    Object.fromEntries(Array.from(text.matchAll(/^Environment=(\w+)=(.*)$/gm), ([, name, value]) => [name, value]))
  const writable: Record<string, string> = {}
  for (const [name, above] of [
    ['StateDirectory', '/var/lib'],
    ['CacheDirectory', '/var/cache'],
  ] as const) {
    const folder = `${above}/${setting(name)}`
    run(root, ['install', '-d', '-m', '750', '-o', setting('User'), '-g', setting('Group'), folder])
    writable[folder] = join(root, folder)
  }
  const user = `${setting('User')}:${setting('Group')}`
  const within = { user, folder: setting('WorkingDirectory'), env: environmentOf(unit), writable }
  const worker = unitOf('marquee-worker.service')
  for (const name of ['User', 'Group', 'WorkingDirectory', 'StateDirectory', 'CacheDirectory'])
    assert.equal(settingOf(worker, name), setting(name))
  await whileRunning([root, setting('ExecStart').split(' '), within], async () => {
    await until(async () => assert.equal(await statusOf(port, '/readyz'), 200))
    say('ExecStart of the unit serves')
    const list = block.find((line) => line.startsWith('runuser')) ?? assert.fail('The guide lists no stores')
    run(root, ['/bin/sh', '-c', list])
    say(list)
    const beside = { ...within, env: environmentOf(worker) }
    await whileRunning([root, settingOf(worker, 'ExecStart').split(' '), beside], async (output) => {
      await until(() => assert.match(output(), /The worker is running/))
      say('ExecStart of marquee-worker.service works beside it')
    })
  })
}

const obstacle =
  process.platform !== 'linux' || process.getuid?.() !== 0
    ? 'this needs root on Linux.'
    : existsSync(join(project, '.output/node/server.mjs'))
      ? await installFromDebian('debootstrap', [debootstrap], ['debootstrap'])
      : '.output/node is missing: run npm run build.'
if (obstacle) console.log(`A bare Debian is not tried: ${obstacle}`)
else
  try {
    await tryImage()
    await tryUnits()
    say('done')
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
