import { expect, test } from 'vitest'
import { secure } from '~/platform/request/security-middleware'

const directive = (name: string, formOrigins: string[]) => {
  const headers = new Headers({ 'content-type': 'text/html; charset=utf-8' })
  secure(headers, { nonce: 'a-nonce', formOrigins, https: true })
  const policy = headers.get('content-security-policy') ?? ''
  return policy.split('; ').find((part) => part.startsWith(`${name} `))
}

test('a form leads nowhere but to the store, and to the page of its payment provider where it has one', () => {
  expect(directive('form-action', [])).toBe("form-action 'self'")
  expect(directive('form-action', ['https://checkout.stripe.com'])).toBe(
    "form-action 'self' https://checkout.stripe.com",
  )
  expect(directive('connect-src', ['https://checkout.stripe.com'])).not.toContain('stripe')
})
