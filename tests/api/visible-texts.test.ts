import { describe, expect, test } from 'vitest'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const invisible = ['\u200b', '\u200b\u200b', '\u2060\u00ad', '\u3164', ' \ufeff \u2800']

const fieldsOf = async (promise: Promise<unknown>) => {
  const { status, problem } = await failureOf(promise)
  return [status, problem.errors]
}

describe('a text without a visible character', () => {
  test.each(invisible)('is refused like an empty one: %j', async (text) => {
    const tenant = await createTenant(api)
    const product = await tenant.createProduct()
    const { client } = await tenant.createMember()
    const { client: staff } = await tenant.createOperator()
    const missing = (field: string) => [422, { [field]: ['Enter a value.'] }]
    expect(await fieldsOf(client.engagement.addComment({ id: product.id, body: text }))).toEqual(missing('body'))
    const inquiry = { type: 'ETC', title: text, body: text }
    expect(await fieldsOf(client.support.createInquiry(inquiry))).toEqual([
      422,
      { title: ['Enter a value.'], body: ['Enter a value.'] },
    ])
    expect(await fieldsOf(staff.admin.faq.create({ question: text, answer: 'Yes.' } as never))).toEqual([
      422,
      expect.objectContaining({ question: ['Enter a value.'] }),
    ])
    expect(await client.identity.changeProfile({ name: text })).toMatchObject({ name: '' })
  })

  test('is no search', async () => {
    const tenant = await createTenant(api)
    const product = await tenant.createProduct()
    const found = await tenant.guest.catalog.search({ q: '\u200b' })
    expect(found.items.map(({ id }) => id)).toEqual([product.id])
  })
})

test('characters that join others stay in words and in pictures', async () => {
  const tenant = await createTenant(api)
  const product = await tenant.createProduct()
  const { client } = await tenant.createMember()
  for (const body of ['\u{1f469}\u200d\u{1f4bb}\ufe0f', 'می\u200cخواهم', 'ㅎ\u3164ㅎ', '\u200eabc\u200f אבג'])
    expect((await client.engagement.addComment({ id: product.id, body })).body).toBe(body)
})

describe('a control that reverses text', () => {
  test('is removed from texts of several lines', async () => {
    const tenant = await createTenant(api)
    const product = await tenant.createProduct()
    const { client } = await tenant.createMember()
    const comment = await client.engagement.addComment({ id: product.id, body: '\u202eevil\u2069\nlive' })
    expect(comment.body).toBe('evil\nlive')
    const body = '\u2066No\u202d sound'
    const { code, messages } = await client.support.createInquiry({ type: 'ETC', title: 'Sound', body })
    expect(messages[0]?.body).toBe('No sound')
    expect((await client.support.reply({ code, body })).messages.at(-1)?.body).toBe('No sound')
  })

  test('is refused in a line', async () => {
    const tenant = await createTenant(api)
    const { client } = await tenant.createMember()
    const line = '\u202eevil'
    const says = ['Enter one line without invisible characters.']
    expect(await fieldsOf(client.support.createInquiry({ type: 'ETC', title: line, body: 'x' }))).toEqual([
      422,
      { title: says },
    ])
    const address = { postcode: '04524', road: '110 Sejong-daero', detail: line }
    expect(await fieldsOf(client.identity.changeProfile({ address }))).toEqual([422, { 'address.detail': says }])
    const profile = await client.identity.changeProfile({ address: { ...address, detail: 'Room\u200e 3' } })
    expect(profile.address?.detail).toBe('Room\u200e 3')
  })
})
