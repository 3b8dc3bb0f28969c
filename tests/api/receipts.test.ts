import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { customerBase } from '#contract/http.ts'
import type { OrderCode } from '#contract/ids.ts'
import { beginToBuy, buy, keyed } from '#tests/support/buying.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant, type Tenant, type TestMember } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const arrange = async (title = 'A quiet tide') => {
  const settings = plainSettings()
  settings.base.currency = 'KRW'
  settings.business = {
    company: 'Hangang Pictures, Inc.',
    representative: '김한결',
    registrationNumber: '123-45-67890',
    mailOrderNumber: null,
    address: '서울특별시 마포구 예시로 24',
    phone: '+82 2 000 0000',
    email: 'hello@hangang.example',
  }
  const tenant = await createTenant(api, { settings })
  const member = await tenant.createMember()
  const product = await tenant.createProduct({ price: 29_000, title })
  const order = await buy(api, tenant, member, product)
  return { tenant, member, product, order, code: order.code as OrderCode }
}

const pdf = (tenant: Tenant, member: TestMember, code: string, query = '', headers: Record<string, string> = {}) =>
  api.fetch(
    new Request(`${api.origin}${customerBase(tenant.code)}/orders/${code}/receipt.pdf${query}`, {
      headers: { authorization: `Bearer ${member.token}`, ...headers },
    }),
  )

test('a receipt shows the items, the amount, the seller and the buyer', async () => {
  const { member, code } = await arrange()
  expect(await member.client.billing.receipt({ code })).toMatchObject({
    number: code,
    order: { status: 'PAYMENT_COMPLETE', total: { amount: 29_000, currency: 'KRW' } },
    buyer: { name: 'Mina Park', email: member.email },
    seller: { company: 'Hangang Pictures, Inc.', registrationNumber: '123-45-67890' },
  })
})

test('a receipt shows refunds, and remains available after a full refund', async () => {
  const { tenant, member, code } = await arrange()
  await keyed(api, tenant, member).billing.requestCancel({ code, reason: 'By mistake' })
  expect(await member.client.billing.receipt({ code })).toMatchObject({
    order: { status: 'CANCEL_COMPLETE', refundedAmount: { amount: 29_000 } },
  })
  expect((await pdf(tenant, member, code)).status).toBe(200)
})

test('a receipt of an unpaid order or of another member is not found', async () => {
  const { tenant, member, product, code } = await arrange()
  const stranger = await tenant.createMember()
  expect(await failureOf(stranger.client.billing.receipt({ code }))).toMatchObject({ status: 404 })
  expect((await pdf(tenant, stranger, code)).status).toBe(404)
  const { order } = await beginToBuy(api, tenant, stranger, product)
  expect(await failureOf(stranger.client.billing.receipt({ code: order.code as OrderCode }))).toMatchObject({
    status: 404,
  })
  const guest = new Request(`${api.origin}${customerBase(tenant.code)}/orders/${code}/receipt.pdf`)
  expect((await api.fetch(guest)).status).toBe(401)
  expect((await pdf(tenant, member, code)).headers.get('cache-control')).toBe('no-store')
})

test.each([
  ['en', 'A quiet tide'],
  ['ko', '고요한 물결: 첫 번째 이야기'],
  ['ja', '静かな潮 第一章'],
  ['ar', 'المدّ الهادئ (الجزء 1)'],
])('the receipt is printed in %s with all its letters', async (lang, title) => {
  const { tenant, member, code } = await arrange(title)
  const answer = await pdf(tenant, member, code, `?lang=${lang}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  expect(answer.headers.get('content-disposition')).toContain(`receipt-${code}.pdf`)
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  // The PDF embeds only the letters it uses.
  expect(bytes.length).toBeLessThan(100_000)
  expect(bytes.subarray(-6).toString().trim()).toBe('%%EOF')
  expect(bytes.toString('latin1')).toContain(`/Lang (${lang})`)
})

/** The decompressed parts of a PDF, which include the letters of its fonts. */
const partsOf = (bytes: Buffer) =>
  [...bytes.toString('latin1').matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)]
    .map(([, part = '']) => {
      try {
        return inflateSync(Buffer.from(part, 'latin1')).toString('latin1')
      } catch {
        return ''
      }
    })
    .join('\n')

test.each(['en', 'ja', 'ar'])('the receipt in %s shows the won sign', async (lang) => {
  const { tenant, member, code } = await arrange()
  const bytes = Buffer.from(await (await pdf(tenant, member, code, `?lang=${lang}`)).arrayBuffer())
  expect(partsOf(bytes)).toMatch(/<20a9>/i)
})

test('the receipt is in the browser’s language unless another is requested', async () => {
  const { tenant, member, code } = await arrange()
  const answer = await pdf(tenant, member, code, '', { 'accept-language': 'ja,en;q=0.5' })
  expect(Buffer.from(await answer.arrayBuffer()).toString('latin1')).toContain('/Lang (ja)')
  expect((await pdf(tenant, member, code, '?lang=xx')).status).toBe(422)
})
