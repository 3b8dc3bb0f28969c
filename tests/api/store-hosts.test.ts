import { expect, test } from 'vitest'
import { headers } from '#contract/http.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { createInstallationApi } from '~/platform/api/client'
import { isStillOwner, resolveCustomer } from '~/platform/tenant/resolve'

const api = createTestApi()
const run = quickCommandOf(api)

/**
 * The store of a host, resolved as by a storefront for each request, with its cache.
 */
const storefrontAt = (host: string, { cookie, fallback }: { cookie?: string; fallback?: string } = {}) => {
  const caller = { api: api.fetch, origin: `http://${host}`, requestId: 'test', clientAddress: undefined }
  const installation = createInstallationApi({ ...caller, token: undefined, guestToken: undefined })
  const resolve = () => resolveCustomer({ host, cookie, fallback }, installation)
  return async () => {
    const code = await resolve()
    if (!code) return null
    const { hostCustomerCode } = await api.client(code, { headers: { [headers.storeHost]: host } }).tenancy.contract()
    return isStillOwner(host, hostCustomerCode) ? code : ((await resolve()) ?? null)
  }
}

test('an added, moved or removed host takes effect with the next request', async () => {
  const [one, other] = [await createTenant(api), await createTenant(api)]
  const host = `${crypto.randomUUID()}.example.com`
  const domains = (code: string, ...args: string[]) => run(['customer', 'domains', code, ...args])
  const storeOfHost = storefrontAt(`${host}:3000`)
  const withDefault = storefrontAt(host, { fallback: other.code })
  expect(await storeOfHost()).toBeNull()
  expect(await withDefault()).toBe(other.code)
  await domains(one.code, '--add', host)
  expect(await storeOfHost()).toBe(one.code)
  expect(await withDefault()).toBe(one.code)
  await domains(one.code, '--remove', host)
  await domains(other.code, '--add', host)
  expect(await storeOfHost()).toBe(other.code)
  await domains(other.code, '--remove', host)
  expect(await storeOfHost()).toBeNull()
  expect(await withDefault()).toBe(other.code)
})
