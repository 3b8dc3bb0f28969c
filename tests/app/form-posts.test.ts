import { expect, it } from 'vitest'
import { handleCardsForm } from '~/features/billing/cards-form.server'
import { handleCartForm, handleCheckoutForm } from '~/features/orders/checkout/orders-form.server'
import { handleSubscribeForm, handleSubscriptionForm } from '~/features/subscriptions/subscription.server'
import type { RequestContext } from '~/platform/request/request-context'
import { answerFailure } from '~/platform/request/security-middleware'

const origin = 'https://store.example'
// Unreadable input never reaches the API.
const requestContext = { requestId: 'a-test' } as RequestContext

const unreadable: [string, RequestInit][] = [
  ['a body that no form sends', { headers: { 'content-type': 'application/json' }, body: '{"intent":"add"}' }],
  ['parts without their boundary', { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: 'nothing' }],
  ['no body at all', {}],
]
const post = (path: string, { headers, ...init }: RequestInit) =>
  new Request(origin + path, { ...init, method: 'POST', headers: { ...headers, origin } })

it.each(unreadable)('a cart form with %s redirects to the cart with BAD_REQUEST', async (_, init) => {
  const answer = await handleCartForm(post('/carts', init), requestContext)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/carts?problem=BAD_REQUEST'])
})

it.each(unreadable)('a checkout form with %s redirects to the checkout with BAD_REQUEST', async (_, init) => {
  const answer = await handleCheckoutForm(post('/payments', init), requestContext)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/payments?problem=BAD_REQUEST'])
})

it.each(unreadable)('a form of the cards with %s redirects to the cards with BAD_REQUEST', async (_, init) => {
  const answer = await handleCardsForm(post('/mypages/cards', init), requestContext)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/mypages/cards?problem=BAD_REQUEST'])
})

it.each(unreadable)('a form of the subscription with %s redirects to it with BAD_REQUEST', async (_, init) => {
  const answer = await handleSubscriptionForm(post('/mypages/subscription', init), requestContext)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/mypages/subscription?problem=BAD_REQUEST'])
})

it.each(unreadable)('a form of a plan’s payment with %s redirects to it with BAD_REQUEST', async (_, init) => {
  const answer = await handleSubscribeForm(post('/plans/some/payment', init), requestContext)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/plans/some/payment?problem=BAD_REQUEST'])
})

const planId = '0199a000-0000-7000-8000-000000000001'
const formPost = (path: string, fields: Record<string, string>) => post(path, { body: new URLSearchParams(fields) })

it('a subscription without consent to the regular charge is refused', async () => {
  const fields = {
    idempotencyKey: 'an-idempotency-key',
    planId,
    card: 'new',
    amount: '599',
    currency: 'USD',
    trialDays: '0',
  }
  const answer = await handleSubscribeForm(formPost('/plans/some/payment', fields), requestContext)
  expect(answer.headers.get('location')).toBe('/plans/some/payment?problem=CONSENT_MISSING')
})

it.each([
  ['a paid plan, which ends later', { id: planId }, 'cancelled'],
  ['an overdue plan, which ends at once', null, 'ended'],
])('the cancellation of %s is answered with what happened', async (_, regular, done) => {
  const cancelSubscription = async () => ({ regular, partnership: null })
  const member = { ...requestContext, api: { subscriptions: { cancelSubscription } } } as unknown as RequestContext
  const fields = { intent: 'cancel', idempotencyKey: 'an-idempotency-key' }
  const answer = await handleSubscriptionForm(formPost('/mypages/subscription', fields), member)
  expect(answer.headers.get('location')).toBe(`/mypages/subscription?done=${done}`)
})

it('an upgrade without consent to its price is refused', async () => {
  const fields = {
    intent: 'change',
    idempotencyKey: 'an-idempotency-key',
    planId,
    quoteId: planId,
    needsConsent: 'yes',
  }
  const answer = await handleSubscriptionForm(formPost('/mypages/subscription', fields), requestContext)
  expect(answer.headers.get('location')).toBe(
    `/mypages/subscription?problem=CONSENT_MISSING&step=change&plan=${planId}`,
  )
})

it('a form of another site is refused with 403', async () => {
  const foreign = new Request(`${origin}/carts`, { method: 'POST', headers: { origin: 'https://evil.example' } })
  expect((await handleCartForm(foreign, requestContext)).status).toBe(403)
  expect((await handleCheckoutForm(foreign, requestContext)).status).toBe(403)
  expect((await handleCardsForm(foreign, requestContext)).status).toBe(403)
  expect((await handleSubscribeForm(foreign, requestContext)).status).toBe(403)
  expect((await handleSubscriptionForm(foreign, requestContext)).status).toBe(403)
})

it.each([true, false])('an unexpected failure shows its request id and no details (as a page: %s)', async (page) => {
  const error = new Error('connect ECONNREFUSED 10.0.0.7:5432')
  const answer = answerFailure(error, { nonce: 'bm9uY2U=', requestId: 'request-1234', page })
  const text = await answer.text()
  expect(answer.status).toBe(500)
  expect(text).toContain('request-1234')
  expect(text).not.toMatch(/ECONNREFUSED|10\.0\.0\.7|\.ts|at /)
  expect(answer.headers.get('content-type')).toContain(page ? 'text/html' : 'application/json')
})
