import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import type * as z from 'zod'
import { readConfig } from '#api/config.ts'
import { environment, processVariables } from '#api/config-schema.ts'
import { recordMode } from '#api/modules/tenancy/store-states.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import { readEnvironment } from '#server/environment.ts'
import { withRecordedMode } from '#server/installed-database.ts'
import { folderOf, processEnvironment } from '#tests/support/command.ts'
import { envExample } from '../../scripts/env-example.ts'

const command = (args: readonly string[], env: Record<string, string>) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const options = { env: { ...processEnvironment(), ...env } }
    execFile(process.execPath, ['server/launch.js', 'cli', ...args], options, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    )
  })

test('a command without a database is refused, says where it looked and creates none', async () => {
  const data = join(await folderOf({}), 'data')
  const { code, out, err } = await command(['customers'], { MARQUEE_DATA: data })
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain(`no embedded database in ${data}/postgres`)
  expect(err).toContain('set DATABASE_URL or MARQUEE_DATA')
  expect(err).toContain('--new-database')
  expect(existsSync(data)).toBe(false)
})

test('a command finds the database by the environment file, prints it without its password, and uses the service’s mode', async () => {
  const name = `environment_${randomUUID().replaceAll('-', '')}`
  const server = new pg.Client({ connectionString: inject('database').ownerUrl })
  await server.connect()
  await server.query(`CREATE DATABASE ${name}`)
  try {
    const url = new URL(inject('database').ownerUrl)
    url.pathname = `/${name}`
    const secret = 'a-secret-for-tests-that-is-long-enough'
    const folder = await folderOf({ 'service.env': `DATABASE_OWNER_URL=${url.href}\nMARQUEE_SECRET='${secret}'\n` })
    const file = join(folder, 'service.env')
    const run = (...args: string[]) => command(args, { MARQUEE_ENV_FILE: file, MARQUEE_DATA: folder })

    const clock = await run('clock')
    expect(clock.err).toBe(
      `Database: ${name} at ${url.host} (production, from ${file})\nThe clock cannot be changed in production.\n`,
    )
    await recordMode(url.href, 'demo')
    expect(await run('clock')).toMatchObject({
      code: 0,
      err: `Database: ${name} at ${url.host} (demo, from ${file})\n`,
    })

    await recordMode(url.href, 'production')
    const config = readConfig({ NODE_ENV: 'development' })
    const production = { environment: 'production', production: true, demo: false }
    expect(await withRecordedMode(config, url.href, 'development')).toMatchObject(production)
    for (const mode of ['demo', 'development'] as const) {
      await recordMode(url.href, mode)
      expect(await withRecordedMode(config, url.href, undefined)).toMatchObject(production)
    }

    const owner = new pg.Client({ connectionString: url.href })
    await owner.connect()
    await owner.query(`UPDATE installation SET environment = 'demo'`)
    expect(await withRecordedMode(config, url.href, undefined)).toMatchObject({ production: false, demo: true })
    expect(await withRecordedMode(config, url.href, 'production')).toMatchObject(production)

    await owner.query('DROP TABLE installation')
    await owner.end()
    const older = 'The schema is older than this version. Start a process with DATABASE_OWNER_URL first.'
    await expect(recordMode(url.href, 'production')).rejects.toThrow(new OperatorError(older))
    await expect(withRecordedMode(config, url.href, undefined)).rejects.toThrow(new OperatorError(older))
  } finally {
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await server.end()
  }
})

test('variables of the process win over the environment file, and a file named explicitly must exist', async () => {
  const folder = await folderOf({ '.env': 'PORT=4000\nHOST="::1"\n# a comment\n' })
  const environment = readEnvironment({ MARQUEE_ENV_FILE: join(folder, '.env'), PORT: '5000' })
  expect(environment.variables).toMatchObject({ PORT: '5000', HOST: '::1' })
  expect([environment.isFromFile('HOST'), environment.isFromFile('PORT')]).toEqual([true, false])
  expect(() => readEnvironment({ MARQUEE_ENV_FILE: join(folder, 'none') })).toThrow(
    /^The environment file .*none of MARQUEE_ENV_FILE cannot be read \(ENOENT\)\.$/,
  )
})

test('.env.example lists every variable of the configuration, and its values are accepted', () => {
  // After a change of the schema: npm run generate
  const example = readFileSync('.env.example', 'utf8')
  expect(example).toBe(envExample())
  expect(() =>
    readConfig({
      ...parseEnv(example.replaceAll(/^#(?=[A-Z_0-9]+=.)/gm, '')),
      MARQUEE_SECRET: 's'.repeat(32),
      MEDIA_S3_ACCESS_KEY: 'key',
      MEDIA_S3_SECRET_KEY: 'secret',
    }),
  ).not.toThrow()
})

test('.env.example lists every variable that the programs and the build read', () => {
  const files = globSync(['{api,app,cli,contract,server}/**/*.{ts,tsx}', 'app.config.ts'])
  const names = files
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\b(?:process\.env|own|variables)\.([A-Z_]{2,})/g)])
    .map(([, name]) => name)
  expect(new Set(names).size).toBeGreaterThan(5)
  const listed = new Set(
    [...readFileSync('.env.example', 'utf8').matchAll(/^# ?([A-Z_0-9]+)=/gm)].map(([, name]) => name),
  )
  // The system sets PATH.
  const others = ['PATH']
  expect([...new Set(names)].filter((name) => !listed.has(name)).toSorted()).toEqual(others)
})

test('docs/operations.md explains every variable, with the default that the configuration has', () => {
  const rows = [...readFileSync('docs/operations.md', 'utf8').matchAll(/^\| (.*?) \| (.*) \|$/gm)]
  const rowOf = (variable: string) =>
    rows.flatMap(([, names = '', rest = '']) => (names.includes(`\`${variable}\``) ? [rest] : []))[0]
  const faults = Object.entries<z.ZodType>(environment.shape).flatMap(([name, schema]) => {
    const row = rowOf(name)
    if (row === undefined) return [`${name} is missing`]
    const value = schema.safeParse(undefined).data
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    return isPlain && !row.includes(`\`${value}\``) ? [`${name} is ${value}: ${row}`] : []
  })
  expect(faults).toEqual([])
  expect(Object.keys(processVariables).filter((name) => rowOf(name) === undefined)).toEqual([])
})
