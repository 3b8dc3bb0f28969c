import { afterAll, afterEach, expect, test, vi } from 'vitest'

// Test files share their modules: this one loads its own, and leaves none with the mock.
vi.resetModules()
vi.doMock('@tanstack/react-start/server', () => ({ deleteCookie: () => {} }))
afterAll(() => {
  vi.doUnmock('@tanstack/react-start/server')
  vi.resetModules()
})
const { clearSession } = await import('../../app/platform/request/server-session')
const { ORPCError } = await import('@orpc/client')

afterEach(() => vi.restoreAllMocks())

const leave = async (refusal: Error) => {
  const infoLog = vi.spyOn(console, 'info').mockImplementation(() => {})
  const clearToken = vi.fn()
  const logout = () => Promise.reject(refusal)
  await clearSession({ hasToken: true, requestId: 'r', clearToken, api: { identity: { logout } } } as never)
  expect(clearToken).toHaveBeenCalledOnce()
  return infoLog.mock.calls.length
}

test('ending an expired session logs nothing, and a failure of the API is logged', async () => {
  expect(await leave(new ORPCError('SESSION_EXPIRED', { status: 401 }))).toBe(0)
  expect(await leave(new TypeError('fetch failed'))).toBe(1)
})
