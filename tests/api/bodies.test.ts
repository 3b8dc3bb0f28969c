import { beforeAll, expect, test, vi } from 'vitest'
import { createTenant, password, type Tenant, type TestMember } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { openUploads } from '#tests/support/uploads.ts'

const api = createTestApi()
const server = await openUploads(api)
let tenant: Tenant
let member: TestMember

beforeAll(async () => {
  tenant = await createTenant(api)
  member = await tenant.createMember()
})

/** The status of a call, written to the socket as some clients do. */
const statusOf = async (path: string, headers: Record<string, string>, body = '') => {
  using call = server.begin(tenant, 'POST', path, headers)
  call.write(body)
  await vi.waitFor(() => expect(call.heard()).toMatch(/^HTTP\/1.1 \d{3} [\s\S]*\r\n\r\n/), { timeout: 5000 })
  return Number(call.heard().slice(9, 12))
}

const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
const credentials = () => ({ email: member.email, password })

test('a call that takes no body is answered when none comes, and its length is not said', async () => {
  expect(await statusOf('/logout', { authorization: `Bearer ${member.token}` })).toBe(204)
})

test('a body may come in parts of unknown number', async () => {
  const json = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
  expect(await statusOf('/login', json, chunked(JSON.stringify(credentials())))).toBe(200)
  expect(await statusOf('/login', json, chunked('x'.repeat(300_000)))).toBe(413)
})
