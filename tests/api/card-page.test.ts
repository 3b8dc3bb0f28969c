import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { payments } from '#api/modules/billing/billing.schema.ts'
import { sandboxPayments } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import { beginToBuy, beginToPay, keyed, terms } from '#tests/support/buying.ts'
import { cards } from '#tests/support/card-page.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const arrange = async (price = 1200) => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct({ price })
  return { tenant, member, product }
}

test('starting a payment again returns the open payment', async () => {
  const { tenant, member, product } = await arrange()
  const { order, paymentId, page } = await beginToBuy(api, tenant, member, product)
  const again = await beginToPay(api, tenant, member, order)
  expect(again.paymentId).toBe(paymentId)
  expect(again.page.url.pathname).toBe(page.url.pathname)
  expect(await tenant.within((db) => db.select().from(payments))).toHaveLength(1)
})

test.each(['/.//evil.example', '/a/..//evil.example', '/\\evil.example', '//evil.example', 'https://evil.example'])(
  'a return URL outside the store is refused: %s',
  async (returnUrl) => {
    const { tenant, member, product } = await arrange()
    const { order } = await beginToBuy(api, tenant, member, product)
    const attempt = keyed(api, tenant, member).billing.startPayment({ code: order.code, method: 'CARD', returnUrl })
    expect(await failureOf(attempt)).toMatchObject({ code: 'VALIDATION_FAILED' })
  },
)

test('the card page is localized, escapes input, and stores no card number', async () => {
  const { tenant, member, product } = await arrange(1250)
  const { page } = await beginToBuy(api, tenant, member, product)
  const url = page.url
  const english = await page.read({ 'accept-language': 'fr' })
  expect(english.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await english.text()).toContain('$12.50')
  url.searchParams.set('lang', 'ko')
  expect(await (await page.read()).text()).toContain('카드 결제')

  const wrong = await page.pay('4242 4242 4242 4241', {
    expiry: '13 / 20',
    cvc: 'x',
    name: '<script>alert(1)</script>',
  })
  const text = await wrong.text()
  expect(wrong.status).toBe(422)
  expect(text.match(/aria-invalid/g)).toHaveLength(3)
  expect(text).not.toContain('<script>')
  expect(text).not.toContain('4242 4242 4242 4241')

  await page.pay(cards.success)
  const stored = JSON.stringify(await tenant.within((db) => db.select().from(sandboxPayments)))
  expect(stored).toContain('4242')
  expect(stored).not.toContain('42424242')
})

test.each([
  ['en', 2, 'A # {title} and 1 more product'],
  ['en', 3, 'A # {title} and 2 more products'],
  ['fr', 2, 'A # {title} and 1 more product'],
  ['ko', 3, 'A # {title} 외 상품 2개'],
  ['ja', 2, 'A # {title} ほか1点'],
  ['ar', 2, 'A # {title} ومنتج آخر'],
  ['ar', 4, 'A # {title} و3 منتجات أخرى'],
])('the order name of a payment is in the buyer’s language: %s, %i products', async (locale, count, title) => {
  const { tenant, member } = await arrange()
  for (let index = 0; index < count; index++) {
    const product = await tenant.createProduct({ title: index === 0 ? 'A # {title}' : 'Another' })
    await member.client.orders.addToCart({ productId: product.id, optionId: product.optionId! })
  }
  const order = await keyed(api, tenant, member).orders.placeOrder(terms(tenant))
  const { token } = member
  const headers = { 'accept-language': locale }
  const { billing } = api.client(tenant.code, { token, idempotencyKey: randomUUID(), headers })
  await billing.startPayment({ code: order.code, method: 'CARD', returnUrl: '/payments/result' })
  const [payment] = await tenant.within((db) => db.select().from(sandboxPayments))
  expect(payment?.orderName).toBe(title)
})

test('an unknown card page answers 404', async () => {
  const answer = await api.fetch(new Request(`${api.origin}/sandbox/pay/nothing`))
  expect(answer.status).toBe(404)
  expect(await answer.text()).toContain('Payment not found')
})
