import { expect, it } from 'vitest'
import { cookieOptions, readCookies } from '~/platform/cookies'
import { hostCookieIn } from './server-session'

it('a cookie with the __Host- prefix is read before one without', () => {
  const both = readCookies('token=a-neighbour; __Host-token=ours')
  expect(hostCookieIn(both, 'token')).toEqual({ value: 'ours', unprefixed: false })
  expect(hostCookieIn(readCookies('token=of-before'), 'token')).toEqual({ value: 'of-before', unprefixed: true })
  expect(hostCookieIn(readCookies('preview=a-neighbour; __Host-preview=ours'), 'preview').value).toBe('ours')
  expect(hostCookieIn(readCookies('preview=a-neighbour'), 'preview', { prefixedOnly: true }).value).toBeUndefined()
  expect(hostCookieIn(readCookies(''), 'token').value).toBeUndefined()
})

it('a prefixed cookie has Secure, the path / and no domain', () => {
  const written = [
    cookieOptions.token(true, new Date()),
    ...[
      cookieOptions.guest(true),
      cookieOptions.device(true),
      cookieOptions.join(true),
      cookieOptions.preview(true, new Date()),
    ],
  ]
  for (const options of written) {
    expect(options).toMatchObject({ secure: true, path: '/', httpOnly: true, sameSite: 'lax' })
    expect(options).not.toHaveProperty('domain')
  }
})
