import { traverseContractProcedures } from '@orpc/server'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { $ZodType } from 'zod/v4/core'
import { contract, installation } from '#contract/procedures/contract.ts'
import type { ProcedureMeta } from '#contract/procedures/procedure.ts'
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

/** The schemas of texts inside a schema, with the path of each. */
const textsOf = (schema: $ZodType, path: string): [path: string, schema: $ZodType][] => {
  const { def } = schema._zod as unknown as { def: Record<string, unknown> }
  const inner = (name: string) => (def[name] ? textsOf(def[name] as $ZodType, path) : [])
  const { shape = {}, options = [] } = def as { shape?: Record<string, $ZodType>; options?: $ZodType[] }
  return [
    ...(def.type === 'string' ? [[path, schema] as [string, $ZodType]] : []),
    ...Object.entries(shape).flatMap(([name, field]) => textsOf(field, `${path}.${name}`)),
    ...options.flatMap((option) => textsOf(option, path)),
    ...['innerType', 'element', 'valueType', 'in'].flatMap(inner),
  ]
}

const written: [path: string, schema: $ZodType][] = []
for (const router of [contract, { installation }])
  traverseContractProcedures({ router, path: [] }, ({ contract: call, path }) => {
    const { meta, route, inputSchema } = call['~orpc'] as (typeof call)['~orpc'] & { meta: ProcedureMeta }
    const isOfStaff = /^(?:operator|staff)$/.test(meta.access) || path[0] === 'staff' || path[0] === 'installation'
    if (inputSchema && isOfStaff && route.method !== 'GET')
      written.push(...textsOf(inputSchema as $ZodType, path.join('.')))
  })

/**
 * Texts that nobody reads as they were sent: compared with another one, looked up, checked by the
 * API, or a draft of their writer.
 */
const compared = [
  /\.(?:password|currentPassword|newPassword|key|code|confirmation|version|url|token|timeZone|language|search)$/,
  /^admin\.(?:members\.(?:erase|merge)\.email|inquiries\.saveDraft\.body|imports\.create\.files\.name)$/,
  /^admin\.bulk\.\w+\.filters\.type$/,
  /^admin\.settings\.update\.(?:base\.\w+PublicUrl|seo\.\w*PublicUrl|seo\.publicUrl|theme\.accent|redirectOrigins)$/,
]
/** Texts without HTML, which have the names of those with it. */
const plain = /^(?:webhooks|admin\.(?:comments|inquiries|savedReplies|settings|products\.changePictures))\./

describe('what staff write', () => {
  const texts = written.filter(([path]) => !compared.some((pattern) => pattern.test(path)))
  /** The paths whose schema accepts a text and keeps it otherwise than it should. */
  const keeping = (among: typeof texts, text: string, expected: string) =>
    among.filter(([, schema]) => {
      const { success, data } = z.safeParse(schema, text)
      return success && data !== expected
    })

  test('keeps no control that reverses text', () => {
    expect(texts.length).toBeGreaterThan(300)
    for (const path of ['products.create.title', 'categories.update.translations', 'plans.change.benefits'])
      expect(texts.map(([each]) => each)).toContain(`admin.${path}`)
    expect(keeping(texts, 'a\u202eb\u2066c\u2069', 'abc').map(([path]) => path)).toEqual([])
  })

  test('as HTML is empty where nothing is seen of it', () => {
    const html = texts.filter(([path]) => /\.(?:description|body|answer|html)$/.test(path) && !plain.test(path))
    expect(html.length).toBeGreaterThan(15)
    expect(keeping(html, '<p> &nbsp;</p><br>', '').map(([path]) => path)).toEqual([])
  })
})

describe('HTML of which nothing is seen', () => {
  const blank = '<p>&nbsp;</p><br>'
  const missing = (field: string) => [422, { [field]: ['Enter a value.'] }]

  test('is refused where a text is needed, and is no translation', async () => {
    const tenant = await createTenant(api)
    const { client, withVersion } = await tenant.createStaff('OWNER')
    const { faq, notices, pages, banners, products } = client.admin
    const question = { group: 'Help', question: 'How?', answer: '<p>So.</p>' }
    expect(await fieldsOf(faq.create({ ...question, answer: blank }))).toEqual(missing('answer'))
    const always = { startsAt: null, endsAt: null }
    const notice = { title: 'Closed', body: blank, pinned: false, ...always }
    expect(await fieldsOf(notices.create(notice))).toEqual(missing('body'))
    expect(await fieldsOf(pages.create({ type: 'press', title: 'Press', body: blank }))).toEqual(missing('body'))
    const banner = { type: 'CUSTOM' as const, title: 'New', text: '', label: null, tone: 'LIGHT' as const, link: null }
    expect(await fieldsOf(banners.create({ ...banner, ...always, html: blank }))).toEqual(missing('html'))
    const { code } = await tenant.createProduct()
    const { version } = await products.get({ code })
    const description = `${blank}<!-- draft -->`
    expect((await withVersion(version).admin.products.change({ code, description })).description).toBe('')
  })

  test('is an empty cell of a table', async () => {
    const tenant = await createTenant(api)
    const { client } = await tenant.createStaff('OWNER')
    const table = `type,title,html\r\nCUSTOM,New,${blank}\r\n`
    const { problems } = await client.admin.imports.create({ table: 'banners', file: new File([table], 'banners.csv') })
    expect(problems).toMatchObject([{ row: 2, column: 'html' }])
    const { code } = await tenant.createProduct()
    const products = `code,description\r\n${code},<p>\u202eevil</p>\r\n`
    await client.admin.imports.create({ table: 'products', file: new File([products], 'products.csv') })
    expect((await client.admin.products.get({ code })).description).toBe('<p>evil</p>')
  })
})
