/**
 * Tries files of `deploy` and guides in a bare Debian, without Docker and systemd:
 *
 *   npm run build && npm run test:debian
 *
 * The first stage of the Dockerfile, then the guide to a start in what it has made. The last
 * stage: its RUN, then its CMD and HEALTHCHECK as its user on a read-only root. Then the lines of
 * the guide to systemd up to `systemctl`, and the programs of the units as their user, on a root of
 * which they write only their folders. The bare Debian is kept in the folder of temporary files.
 * Needs root and the internet; elsewhere it says so.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import {
  debootstrap,
  freshRoot,
  place,
  project,
  run,
  say,
  statusOf,
  until,
  whileRunning,
} from '../support/bare-debian.ts'
import { installFromDebian } from '../support/debian.ts'
import { freePort } from '../support/free-port.ts'

const read = (path: string) => readFileSync(join(project, path), 'utf8')
const found = (text: string, pattern: RegExp) => pattern.exec(text)?.[1] ?? assert.fail(`There is no ${pattern}`)

/** The instructions of each stage of the Dockerfile, each with its words on one line. */
const stages = read('deploy/Dockerfile')
  .split(/^(?=FROM )/m)
  .slice(1)
  .map((stage) =>
    stage
      .replace(/^#.*\n/gm, '')
      .replace(/\\\n\s*/g, '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ name: found(line, /^(\w+)/), text: line.replace(/^\w+\s+/, '') })),
  )
const instructions = stages.at(-1) ?? []
const instruction = (name: string) =>
  instructions.find((one) => one.name === name)?.text ?? assert.fail(`The last stage has no ${name}`)
const suite = found(instruction('FROM'), /^node:24-(\w+)-slim$/)
/** Where the first stage is tried: /src is this project in all roots. */
const appFolder = '/app'
const folderOfApp = instruction('WORKDIR')
const volume: string = JSON.parse(instruction('VOLUME'))[0]
const wordsOf = (command: string): string[] => JSON.parse(found(command, /(\[.*\])/))

const guide = read('docs/guides/deploy.md')

/** What `COPY . .` takes: the files of the project without those of Dockerfile.dockerignore. */
const copyProject = (to: string) => {
  const ignored = read('deploy/Dockerfile.dockerignore').split('\n').filter(Boolean)
  const excluded = ignored.map((name) => `--exclude=${name.replace('**/', '')}`)
  const files = execFileSync('tar', ['-C', project, '-c', ...excluded, '.'], { maxBuffer: 1_000_000_000 })
  execFileSync('tar', ['-C', to, '-x'], { input: files })
}

/** The npm that runs this, where the image of Node has it. */
const addNpm = (root: string) => {
  const program = process.env.npm_execpath ?? assert.fail('Run this with npm.')
  const to = join(root, 'usr/local/lib/node_modules')
  mkdirSync(to, { recursive: true })
  execFileSync('cp', ['-a', dirname(dirname(program)), join(to, 'npm')])
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'))
}

/** The certificates that this machine trusts beside those of Node. */
const trustOf = (root: string): Record<string, string> => {
  const { NODE_EXTRA_CA_CERTS: file } = process.env
  if (!file) return {}
  copyFileSync(file, join(root, 'certificates.pem'))
  return { NODE_EXTRA_CA_CERTS: '/certificates.pem' }
}

/** Runs the first stage. Returns its root, whose /app has what it has built. */
const tryBuildStage = () => {
  const root = freshRoot(suite, 'build', 'usr/local/bin/node')
  addNpm(root)
  const [from, ...steps] = stages[0] ?? []
  assert.match(from?.text ?? '', new RegExp(`^node:24-${suite}-slim AS build$`))
  // The project is mounted at the stage's own folder.
  const folder = join(root, appFolder)
  mkdirSync(folder)
  for (const { name, text } of steps)
    if (name === 'WORKDIR') assert.equal(text, '/src')
    else if (name === 'RUN') run(root, wordsOf(text), { folder: appFolder, env: trustOf(root) })
    else if (text === '. .') copyProject(folder)
    else for (const file of text.split(' ').slice(0, -1)) copyFileSync(join(project, file), join(folder, file))
  say(`the first stage: ${steps.map(({ text }) => text).join(', ')}`)
  return root
}

/** The guide to a start: its commands, and its environment file with a free port. */
const tryStart = async (root: string) => {
  const start = read('docs/guides/start.md')
  const [install, build, serve, ...others] = found(start, /```sh\n([^`]*)```/)
    .trim()
    .split('\n')
  assert.deepEqual([install, build, others], ['npm ci', 'npm run build', []])
  const port = await freePort()
  const variables = found(start, /```sh\n(MARQUEE_DATA=[^`]*)```/).replace(/^PORT=.*$/m, `PORT=${port}`)
  const data = found(variables, /^MARQUEE_DATA=(.*)$/m)
  const code = found(variables, /^DEFAULT_CUSTOMER_CODE=(.*)$/m)
  writeFileSync(join(root, appFolder, '.env'), variables)
  const user = 'nobody:nogroup'
  run(root, ['install', '-d', '-o', 'nobody', '-g', 'nogroup', data])
  const within = { user, folder: appFolder, env: { HOME: data } }
  await whileRunning([root, ['/bin/sh', '-c', `exec ${serve}`], within], async (output) => {
    await until(async () => assert.equal(await statusOf(port, '/readyz'), 200))
    await until(() => assert.match(output(), /Create the first one/))
    say('npm start writes the link to the first store')
    const store = ['--name', 'Store', '--locale', 'en', '--currency', 'USD', '--timezone', 'UTC']
    run(root, ['npm', 'run', 'cli', '--', 'customer', 'create', '--code', code, ...store], within)
    run(root, ['npm', 'run', 'cli', '--', 'customer', 'open', code, '--force'], within)
    assert.equal(await statusOf(port, '/'), 200)
    say(`a page of ${code}, made by a command beside it`)
  })
}

const tryImage = async (built: string) => {
  const root = freshRoot(suite, 'image', 'usr/local/bin/node')
  run(root, ['/bin/sh', '-c', instruction('RUN')])
  say('RUN')
  const [from = '', to = ''] = found(instruction('COPY'), /^--from=build (.*)$/).split(' ')
  execFileSync('cp', ['-a', join(built, from.replace('/src', appFolder)), join(root, to)])
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
  const root = freshRoot(suite, 'systemd', 'usr/bin/node')
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
  // As the guide to security has it.
  assert.equal(run(root, ['stat', '-c', '%U %G %a', '/etc/marquee/marquee.env']).trim(), 'root marquee 640')
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
    const built = tryBuildStage()
    await tryStart(built)
    await tryImage(built)
    await tryUnits()
    say('done')
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
