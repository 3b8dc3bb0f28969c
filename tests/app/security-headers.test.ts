import { expect, test } from 'vitest'
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
