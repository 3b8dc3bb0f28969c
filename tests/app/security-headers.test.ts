import { expect, test, vi } from 'vitest'
import { secure } from '~/platform/request/security-middleware'

const directive = (name: string, formOrigins: string[]) => {
  const headers = new Headers({ 'content-type': 'text/html; charset=utf-8' })
  secure(headers, { nonce: 'a-nonce', formOrigins, https: true })
  const policy = headers.get('content-security-policy') ?? ''
  return policy.split('; ').find((part) => part.startsWith(`${name} `))
}

test('form-action allows the store and its payment provider only', () => {
  expect(directive('form-action', [])).toBe("form-action 'self'")
  expect(directive('form-action', ['https://checkout.stripe.com'])).toBe(
    "form-action 'self' https://checkout.stripe.com",
  )
  expect(directive('connect-src', ['https://checkout.stripe.com'])).not.toContain('stripe')
})

test('HSTS is sent over HTTPS only, and binds subdomains only where the operator asks for it', () => {
  const hsts = (https: boolean) => {
    const headers = new Headers()
    secure(headers, { nonce: 'a-nonce', formOrigins: [], https })
    return headers.get('strict-transport-security')
  }
  expect(hsts(false)).toBeNull()
  expect(hsts(true)).toBe('max-age=31536000')
  vi.stubEnv('HSTS_INCLUDE_SUBDOMAINS', 'true')
  expect(hsts(true)).toBe('max-age=31536000; includeSubDomains')
  vi.unstubAllEnvs()
})
