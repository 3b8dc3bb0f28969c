import { traverseContractProcedures } from '@orpc/server'
import { pino } from 'pino'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { logSafety } from '#api/platform/log/log.ts'
import { eventStreamType } from '#contract/admin/changes.ts'
import { customerBase } from '#contract/http.ts'
import { contract } from '#contract/procedures/contract.ts'
import type { ProcedureMeta } from '#contract/procedures/procedure.ts'
import { safeError } from '#contract/safe-error.ts'
import { createFullTenant, type FullTenant } from '#tests/support/full-tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const lines: string[] = []
const log = pino({ level: 'trace', ...logSafety }, { write: (line: string) => void lines.push(line) })
const api = createTestApi({ log })
let tenant: FullTenant

beforeAll(async () => {
  tenant = await createFullTenant(api, 'secrets')
}, 60_000)
beforeEach(() => {
  lines.length = 0
})

const secret = 'hunter2-do-not-tell'
const fields = [
  ...['email', 'password', 'currentPassword', 'newPassword', 'token', 'code', 'accessKey', 'name', 'phone', 'address'],
  ...[
    'body',
    'title',
    'reason',
    'q',
    'returnUrl',
    'optionId',
    'productId',
    'refundAccount',
    'cardId',
    'refundPolicyVersion',
  ],
]
const bodies: Record<string, [type: string, body: string]> = {
  'every field': ['application/json', JSON.stringify(Object.fromEntries(fields.map((field) => [field, secret])))],
  'every field, nested': [
    'application/json',
    JSON.stringify(Object.fromEntries(fields.map((field) => [field, { [secret]: [secret, { secret }] }]))),
  ],
  'JSON that breaks off': ['application/json', `{"password":"${secret}","token":${secret}`],
  'JSON with a character that cannot be stored': [
    'application/json',
    JSON.stringify({ password: `${secret}\u0000`, email: '\ud800' }),
  ],
  'a form': ['application/x-www-form-urlencoded', `password=${secret}&token=${secret}%00%ff`],
  'a form in parts': [
    'multipart/form-data; boundary=x',
    `--x\r\ncontent-disposition: form-data; name="file"; filename="${secret}"\r\n\r\n${secret}`,
  ],
}
/** The request id is excluded: the sender chooses it, and it is logged on purpose. */
const headers = {
  cookie: `token=${secret}; password=${secret}`,
  'idempotency-key': secret,
  'user-agent': secret,
  'x-forwarded-for': secret,
  'x-forwarded-host': secret,
  'accept-language': secret,
  'x-guest-token': secret,
  referer: `http://store.test/?key=${secret}`,
}

const calls: { name: string; method: string; path: string; access: string }[] = []
traverseContractProcedures({ router: contract, path: [] }, ({ contract: call, path }) => {
  const { method = 'GET', path: address = '/' } = call['~orpc'].route
  calls.push({ name: path.join('.'), method, path: address, access: (call['~orpc'].meta as ProcedureMeta).access })
})

const callers = { guest: () => secret, member: () => tenant.member.token, operator: () => tenant.operator.token }

describe.each(Object.keys(bodies))('a secret sent in %s', (kind) => {
  const [type, body] = bodies[kind]!
  test.each(Object.entries(callers))(
    'and in every header to every procedure by %s appears in no log and no error answer',
    async (_, token) => {
      for (const { name, method, path } of calls) {
        // Signing out would end the session of the test.
        if (/logout|endOtherSessions|endSession/.test(name)) continue
        const query = method === 'GET' ? `?${fields.map((field) => `${field}=${secret}`).join('&')}` : ''
        const address = `${api.origin}${customerBase(tenant.code)}${path.replace(/\{[^}]+\}/g, secret)}${query}`
        const response = await api.fetch(
          new Request(address, {
            method,
            headers: { ...headers, authorization: `Bearer ${token()}`, 'content-type': type },
            ...(method !== 'GET' && { body }),
          }),
        )
        // A stream goes on until its reader leaves.
        const isStream = response.headers.get('content-type') === eventStreamType
        const answer = isStream ? String(await response.body?.cancel()) : await response.text()
        expect(response.status, name).toBeLessThan(500)
        if (response.status >= 400) expect(answer, name).not.toContain(secret)
      }
      expect(lines.filter((line) => line.includes(secret))).toEqual([])
    },
  )
})

describe('an error in a log', () => {
  test('contains no query parameters, no database row and no text that could not be parsed', async () => {
    const failed = await tenant
      .within((db) => db.$client.query('SELECT $1::int', [secret]))
      .then(
        () => null,
        (error: unknown) => error,
      )
    const query = Object.assign(new Error(`Failed query: insert into members\nparams: ${secret}`, { cause: failed }), {
      params: [secret],
      query: 'insert into members',
      data: { password: secret },
    })
    const broken = await new Response(`{"password":${secret}`).json().then(
      () => null,
      (error: unknown) => error,
    )
    for (const error of [failed, query, broken, new AggregateError([query], 'All failed'), secret]) {
      const shown = JSON.stringify(safeError(error))
      expect(shown).not.toContain(secret)
      expect(shown).not.toContain('hunter2')
    }
    expect(safeError(query)).toMatchObject({ message: 'Failed query: insert into members', cause: { code: '22P02' } })
    log.error({ err: query, password: secret, request: { cookie: secret, token: secret } }, 'A procedure failed')
    expect(lines.join('')).toContain('A procedure failed')
    expect(lines.join('')).not.toContain(secret)
  })
})
