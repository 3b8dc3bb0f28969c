import { afterEach, expect, test, vi } from 'vitest'

vi.mock('@tanstack/react-start/server', () => ({ deleteCookie: () => {} }))
const { endSession } = await import('~/platform/session/server-session')
const { ORPCError } = await import('@orpc/client')

afterEach(() => vi.restoreAllMocks())

const leave = async (refusal: Error) => {
  const said = vi.spyOn(console, 'info').mockImplementation(() => {})
  const forgetToken = vi.fn()
  const logout = () => Promise.reject(refusal)
  await endSession({ hasToken: true, requestId: 'r', forgetToken, api: { accounts: { logout } } } as never)
  expect(forgetToken).toHaveBeenCalledOnce()
  return said.mock.calls.length
}

test('ending an ended session logs nothing, and a failure of the API is logged', async () => {
  expect(await leave(new ORPCError('SESSION_EXPIRED', { status: 401 }))).toBe(0)
  expect(await leave(new TypeError('fetch failed'))).toBe(1)
})
