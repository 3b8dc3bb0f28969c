import { traverseContractProcedures } from '@orpc/server'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { $ZodIssue, $ZodType } from 'zod/v4/core'
import { locale as locales } from '#contract/enumerations.ts'
import { customerBase } from '#contract/http.ts'
import { contract, installation } from '#contract/procedures/contract.ts'
import { slugPath, storefrontPath } from '#contract/rules.ts'
import { validationMessage } from '#contract/validation-messages.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

/**
 * Messages of Zod itself, in any version of it, and anything that looks like a pattern.
 */
const raw = /Invalid |Too (?:small|big)|expected |received|Unrecognized|must match|>=|<=|\^|\(\?|\\d|\[a-z/i
const scripts = { ko: /[\uac00-\ud7a3]/, ja: /[\u3040-\u30ff\u4e00-\u9fff]/, ar: /[\u0600-\u06ff]/, en: /^[A-Z]/ }

const inputs: { name: string; schema: $ZodType }[] = []
for (const router of [contract, { installation }])
  traverseContractProcedures({ router, path: [] }, ({ contract: call, path }) => {
    const schema = call['~orpc'].inputSchema as $ZodType | undefined
    if (schema) inputs.push({ name: path.join('.'), schema })
  })

const junk = fc.oneof(
  fc.constantFrom(
    undefined,
    null,
    '',
    ' ',
    -1,
    0,
    1.5,
    1e12,
    true,
    [],
    {},
    'x'.repeat(6000),
    'a'.repeat(70),
    'NO',
    '//evil.example',
  ),
  fc.string(),
  fc.integer(),
  fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 200 }),
)

/** The field names of an object schema, also inside wrappers. */
const fieldsOf = (schema: $ZodType): string[] => {
  const { def } = schema._zod as { def: { shape?: object; innerType?: $ZodType; options?: $ZodType[]; in?: $ZodType } }
  if (def.shape) return Object.keys(def.shape)
  const inner = [def.innerType, def.in, ...(def.options ?? [])].filter((one) => one !== undefined)
  return inner.flatMap(fieldsOf)
}

const expectPlainMessage = (issue: $ZodIssue) => {
  for (const locale of locales.options) {
    const message = validationMessage(issue, locale)
    // Field names of the input and the valid values may be any words.
    const isList = issue.code === 'unrecognized_keys' || issue.code === 'invalid_value'
    const template = isList ? message.split(/[:：]/)[0]! : message
    expect(template, JSON.stringify(issue)).not.toMatch(raw)
    expect(template).toMatch(scripts[locale])
    if (locale !== 'en') expect(template).not.toBe(validationMessage(issue, 'en'))
  }
}

test('the contract has inputs to test', () => expect(inputs.length).toBeGreaterThan(60))

test.each(inputs)('every refusal of $name states the valid values, in four languages', ({ schema }) => {
  const fields = fieldsOf(schema)
  const whole = fc.oneof(
    junk,
    fc.record(Object.fromEntries(fields.map((field) => [field, junk])), { requiredKeys: [] }),
  )
  fc.assert(
    fc.property(whole, (input) => {
      const read = z.safeParse(schema, input)
      for (const issue of read.error?.issues ?? []) expectPlainMessage(issue as $ZodIssue)
    }),
    { numRuns: 60 },
  )
})

describe('a pattern of the contract has an example in its message', () => {
  test.each(inputs)('$name', ({ schema }) => {
    for (const field of fieldsOf(schema)) {
      const read = z.safeParse(schema, { [field]: '\n!' })
      for (const issue of read.error?.issues ?? [])
        if (issue.code === 'invalid_format')
          expect(validationMessage(issue as $ZodIssue, 'en'), `${field} ${String(issue.pattern)}`).toMatch(
            /^Use this format: \S/,
          )
    }
  })
})

describe('a text of invisible characters is read as one of spaces', () => {
  const codeOf = (schema: $ZodType, field: string, text: string) =>
    z.safeParse(schema, { [field]: text }).error?.issues.find(({ path }) => path.join('.') === field)?.code

  test.each(inputs)('$name', ({ schema }) => {
    for (const field of fieldsOf(schema))
      for (const text of ['\u200b\u200b', '\u2060\u00ad', '\u3164 \ufe0f', '\u2800 '])
        expect(codeOf(schema, field, text), `${field} ${JSON.stringify(text)}`).toBe(codeOf(schema, field, '  '))
  })
})

/** The patterns of an input, with those inside its fields. */
const patternsOf = (schema: $ZodType, seen = new Set<$ZodType>()): string[] => {
  if (seen.has(schema)) return []
  seen.add(schema)
  const def = schema._zod.def as unknown as { checks?: { _zod: { def: { pattern?: RegExp } } }[] } & Record<
    string,
    unknown
  >
  const own = (def.checks ?? []).flatMap(({ _zod: { def: check } }) => (check.pattern ? [String(check.pattern)] : []))
  const inner = Object.values({ ...def, ...(def.shape as object | undefined) })
    .flat()
    .filter((one): one is $ZodType => typeof one === 'object' && one !== null && '_zod' in one && one !== schema)
    .filter((one) => 'def' in one._zod && 'type' in one._zod.def)
  return [...own, ...inner.flatMap((one) => patternsOf(one, seen))]
}

test('the message of every pattern of the contract has the example of that pattern', () => {
  const patterns = new Set(inputs.flatMap(({ schema }) => patternsOf(schema)))
  const messages = [...patterns].map((pattern) => {
    const issue = { code: 'invalid_format', format: 'regex', pattern } as $ZodIssue
    return [pattern, validationMessage(issue, 'en').replace('Use this format: ', '')]
  })
  expect(Object.fromEntries(messages)).toEqual({
    [String(/^[a-z]+(,[a-z]+)*$/i)]: 'code,title',
    [String(/^[^,\p{C}]+$/u)]: 'frequent buyer',
    [String(storefrontPath)]: '/products',
    [String(slugPath)]: 'films/drama',
    [String(/^(?:[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?|[\da-f:]*:[\da-f:.]*)$/iu)]: 'mail.example.com',
    // Codes of products, plans and options.
    [String(/^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/)]: 'F100',
    // Caption files and passkeys, which only programs send.
    [String(/^[A-Za-z0-9-]{2,80}$/)]: 'F100',
    [String(/^[\w-]+$/)]: 'F100',
    [String(/^[A-Z]{3}$/)]: 'USD',
    [String(/^Q-[0-9A-HJKMNP-TV-Z]{6}$/)]: 'Q-7K3M9P',
    [String(/^\d{8}-[0-9A-HJKMNP-TV-Z]{6}$/)]: '20261122-7K3M9P',
    // Customer codes, types of pages, templates of emails, sections of the home page.
    [String(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/)]: 'aurora-films',
    [String(/^[a-z0-9][a-z0-9-]{0,39}$/)]: 'aurora-films',
    [String(/^[a-z][a-z-]*$/)]: 'aurora-films',
    [String(/^[a-z0-9-]{1,40}$/)]: 'aurora-films',
    [String(/^[a-z][a-zA-Z]{0,19}$/)]: 'sortBy',
    [String(/^[\d -]{6,40}$/)]: '123-456-789012',
    [String(/^\d{6}$/)]: '123456',
    [String(/^[\w-]{20,160}$/)]: expect.stringMatching(/^[\w-]{80,}$/),
  })
})

test.each([
  [z.string().check(z.minLength(1)), '', 'Enter a value.', '값을 입력해 주세요.'],
  [z.array(z.string()).check(z.minLength(1)), [], 'Choose at least one.', '하나 이상 선택해 주세요.'],
  [z.string().check(z.minLength(8)), 'abc', 'Enter at least 8 characters.', '8자 이상 입력해 주세요.'],
  [z.number().check(z.gt(0)), 0, 'Enter more than 0.', '0보다 큰 값을 입력해 주세요.'],
  [z.number().check(z.multipleOf(5)), 3, 'Enter a multiple of 5.', '5의 배수를 입력해 주세요.'],
  [z.strictObject({}), { extra: 1 }, 'Remove the unknown fields: extra', '알 수 없는 필드를 삭제해 주세요: extra'],
  [
    z.union([z.boolean(), z.number()]),
    'x',
    'Choose yes or no (true or false).',
    '예 또는 아니요(true 또는 false)를 선택해 주세요.',
  ],
  [z.literal(true), false, 'Confirm this to continue (true).', '계속하려면 동의하거나 확인해 주세요(true).'],
  [
    z.file().check(z.minSize(1)),
    new File([], 'a.txt'),
    'This file is empty. Choose another file.',
    '빈 파일이에요. 다른 파일을 선택해 주세요.',
  ],
  [z.email(), 'x', 'Use this format: name@example.com', '다음 형식으로 입력해 주세요: name@example.com'],
])('%# a refused value is answered with a message that states the valid values', (schema, input, en, ko) => {
  const [issue] = z.safeParse(schema as z.ZodMiniType, input).error!.issues as $ZodIssue[]
  expect([validationMessage(issue!, 'en'), validationMessage(issue!, 'ko')]).toEqual([en, ko])
})

/** The ends of ranges. `analytics` checks its own, with its default days. */
const rangeEnds = [
  ['from', 'to', '2026-02-02', '2026-02-01'],
  ['since', 'until', '2026-02-02', '2026-02-01'],
  ['min', 'max', 2, 1],
  ['priceMin', 'priceMax', 2, 1],
  ['durationMin', 'durationMax', 2, 1],
] as const
const ranges = inputs.flatMap(({ name, schema }) => {
  const fields = fieldsOf(schema)
  const isList = !/^(?:analytics|admin\.orders\.exportMovements)/.test(name)
  return rangeEnds
    .filter(([start, end]) => isList && fields.includes(start) && fields.includes(end))
    .map((ends) => ({ name, schema, ends }))
})

test('ranges of lists are found', () => expect(ranges.length).toBeGreaterThan(15))

test.each(ranges)('$name refuses a range that ends before it starts', ({ schema, ends: [start, end, from, to] }) => {
  const read = z.safeParse(schema, { [start]: from, [end]: to })
  const issue = read.error?.issues.find(({ path }) => path.join('.') === end) as $ZodIssue
  expect(validationMessage(issue, 'en')).toBe(
    typeof from === 'string' ? 'Enter 2026-02-02 or a later day.' : 'Enter 2 or more.',
  )
  const right = z.safeParse(schema, { [start]: to, [end]: to })
  expect(right.error?.issues.filter(({ path }) => path.join('.') === end) ?? []).toEqual([])
})

test('the API answers in the caller’s language, and in the store’s own where none is requested', async () => {
  const api = createTestApi()
  const settings = plainSettings()
  settings.base = { ...settings.base, locale: 'ko', locales: ['ko', 'en'] }
  const tenant = await createTenant(api, { settings })
  const fault = async (language: Record<string, string>) => {
    const response = await api.fetch(
      new Request(`http://store.test${customerBase(tenant.code)}/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...language },
        body: JSON.stringify({ email: 'x', password: 'x' }),
      }),
    )
    const { errors } = (await response.json()) as { errors: Record<string, string[]> }
    return [response.status, errors.email?.[0]]
  }
  expect(await fault({})).toEqual([422, '다음 형식으로 입력해 주세요: name@example.com'])
  expect(await fault({ 'accept-language': 'fr' })).toEqual([422, '다음 형식으로 입력해 주세요: name@example.com'])
  expect(await fault({ 'accept-language': 'en-GB' })).toEqual([422, 'Use this format: name@example.com'])
  expect(await fault({ 'accept-language': 'ko;q=0.1, en;q=0.7' })).toEqual([422, 'Use this format: name@example.com'])
  expect(await fault({ 'accept-language': 'ar' })).toEqual([422, 'استخدم هذا التنسيق: name@example.com'])
})
