import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial } from 'node:net'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { commandOf, environmentOf, processEnvironment } from '#tests/support/command.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

// A test locks a table and ends what waits for it, so other test files use another database.
const database = await ownDatabase()
const api = createTestApi({ database })
const variables = environmentOf(api, database)

/** The message of a database that shuts down: an error with the SQLSTATE 57P01. */
const shutdown = () => {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0')
  const message = Buffer.alloc(5 + fields.length)
  message.write('E')
  message.writeInt32BE(4 + fields.length, 1)
  fields.copy(message, 5)
  return message
}
const isTerminate = (part: Buffer) => part.length === 5 && part.toString('latin1') === 'X\0\0\0\x04'

/**
 * Passes everything to the database, and answers the end of a connection as one that shuts down.
 */
const stoppingDatabase = async (url: string) => {
  const target = new URL(url)
  const { port, hostname } = target
  const server = createServer((client) => {
    const database = dial(Number(port), hostname)
    client.on('error', () => undefined)
    database.on('error', () => undefined)
    database.pipe(client)
    client.on('data', (part) => {
      if (isTerminate(part)) client.write(shutdown())
      database.write(part)
    })
    client.on('end', () => database.end())
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  target.port = String((server.address() as AddressInfo).port)
  return { url: target.href, [Symbol.asyncDispose]: async () => void server.close() }
}

test('a command whose database stops while its connections close ends with success', async () => {
  const tenant = await createTenant(api)
  await using owner = await stoppingDatabase(database.ownerUrl)
  await using serving = await stoppingDatabase(database.url)
  const run = commandOf(api, { ...variables, DATABASE_OWNER_URL: owner.url, DATABASE_URL: serving.url })
  const set = ['settings', 'set', '-c', tenant.code, 'business.company', 'Acme']
  expect(await run(set)).toMatchObject({ code: 0, err: '' })
}, 120_000)

test('a command whose database stops in the middle says so in a sentence', async () => {
  const tenant = await createTenant(api)
  const client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  // The command waits for this lock, until its connection is ended.
  await client.query('BEGIN')
  await client.query('LOCK TABLE members IN ACCESS EXCLUSIVE MODE')
  const ended = commandOf(api, variables)(['members', '-c', tenant.code])
  const waiting = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted AND relation = 'members'::regclass"
  const end = async () => expect((await client.query(waiting)).rows).toEqual([{ pg_terminate_backend: true }])
  await vi.waitFor(end, { timeout: 90_000, interval: 50 })
  const { code, err } = await ended
  await client.end()
  expect({ code, err }).toEqual({
    code: 1,
    err:
      'The database stopped answering: terminating connection due to administrator command. ' +
      'What the command finished before is kept. Check the installation: npm run cli -- doctor\n',
  })
}, 120_000)

test('a statement that the database refuses is told in a sentence without a stack', async () => {
  const tenant = await createTenant(api)
  const client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  await client.query('ALTER TABLE members RENAME COLUMN email TO former_email')
  const { code, err } = await commandOf(api, variables)(['members', '-c', tenant.code])
  await client.query('ALTER TABLE members RENAME COLUMN former_email TO email')
  await client.end()
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(
      /^The database refused a statement of the command: column .*email.* does not exist\. .*Code 42703\.\n$/,
    ),
  })
}, 120_000)

test('a command whose output nobody reads to the end does its work, and prints no stack', async () => {
  const options = ['--name', 'Pipe', '--host', 'pipe.localhost', '--currency', 'USD', '--timezone', 'UTC']
  const words = ['server/launch.js', 'cli', 'customer', 'create', '--code', 'pipe', '--locale', 'en', ...options]
  const command = spawn(process.execPath, words, { env: { ...processEnvironment(), ...variables } })
  command.stdout.destroy()
  let err = ''
  command.stderr.setEncoding('utf8').on('data', (part: string) => {
    err += part
  })
  const [code] = await once(command, 'close')
  expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/^Database: .*\n$/) })
}, 120_000)
