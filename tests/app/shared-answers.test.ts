import { pino } from 'pino'
import { beforeAll, expect, test } from 'vitest'
import { logSafety } from '#api/platform/log/log.ts'
import { eventually } from '#tests/support/eventually.ts'
import { builtServerFunctions } from '#tests/support/server-functions.ts'
import { openStoreServer } from '#tests/support/store-server.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const lines: string[] = []
const log = pino({ level: 'info', ...logSafety }, { write: (line: string) => void lines.push(line) })
const api = createTestApi({ log })
let server: Awaited<ReturnType<typeof openStoreServer>>
/** Calls of the API that fail, by their path. */
let failing: RegExp | undefined
let home: string

beforeAll(async () => {
  const tenant = await createTenant(api)
  server = await openStoreServer(api, `${tenant.code}.test`, {
    answer: ({ url }) => {
      if (failing?.test(url)) throw new Error('This part of the API is broken.')
    },
  })
  home = `/_serverFn/${builtServerFunctions().find(({ name }) => name === 'getHome')?.id}`
}, 180_000)

const call = (path = home, headers: Record<string, string> = {}) =>
  server.request(path, { headers: { 'x-tsr-serverfn': 'true', 'sec-fetch-site': 'same-origin', ...headers } })

test('a failure is answered with its status, and never sent to another guest', async () => {
  failing = /banners|products|chosen/
  const failed = await call().finally(() => {
    failing = undefined
  })
  expect(failed.status).toBeGreaterThanOrEqual(500)
  const first = await call()
  expect([first.status, first.headers['x-cache']]).toEqual([200, 'miss'])
  const second = await call()
  expect([second.status, second.headers['x-cache'], second.body]).toEqual([200, 'hit', first.body])
})

test('an answer that is sent again has the name of its function in the log', async () => {
  await call()
  const { headers } = await call()
  expect(headers['x-cache']).toBe('hit')
  const line = await eventually(
    () => lines.find((each) => each.includes(String(headers['x-request-id']))) ?? Promise.reject(new Error('No line')),
  )
  expect(JSON.parse(line)).toMatchObject({ route: '/_serverFn/getHome', status: 200 })
})

test.each([
  ['with a part of its path encoded', () => home.replace('_', '%5F')],
  ['with more than its input', () => `${home}?payload=&x=1`],
])('an address %s is not shared, and answers no other origin', async (_, path) => {
  for (let time = 0; time < 2; time++) expect((await call(path())).headers['x-cache']).toBeUndefined()
  expect((await call(path(), { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
})
