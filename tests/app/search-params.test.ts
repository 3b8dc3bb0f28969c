import type { AnyRoute } from '@tanstack/react-router'
import fc from 'fast-check'
import { describe, expect, expectTypeOf, it, test } from 'vitest'
import * as z from 'zod/mini'
import { parseProductsSearch } from '~/features/catalog/products.search'
import {
  amountUpTo,
  anyOf,
  flag,
  pageNumber,
  type SearchOf,
  type SearchSchema,
  searchSchema,
  text,
} from '~/platform/navigation/search-schema'
import { routeTree } from '~/routeTree.gen'
import { cleanText, parseSearch, repairPath, stringifySearch } from '../../app/platform/address'

describe('the search of an address', () => {
  it.each([
    ['?q=2', { q: '2' }],
    ['?q=true&a=null', { q: 'true', a: 'null' }],
    ['?q=%7B%22a%22%3A1%7D', { q: '{"a":1}' }],
    ['?q=a&q=b', { q: ['a', 'b'] }],
    ['?q=a%00b', { q: 'ab' }],
    ['?q=%', { q: '%' }],
    ['?q=', { q: '' }],
    ['', {}],
  ])('%s is read as text', (search, read) => expect({ ...parseSearch(search) }).toEqual(read))

  it('__proto__ is an ordinary name', () => {
    expect(Object.keys(parseSearch('?__proto__=1&constructor=2'))).toEqual(['__proto__', 'constructor'])
    expect(({} as Record<string, unknown>).q).toBeUndefined()
  })

  it('too long values and values after the hundredth are dropped', () => {
    expect({ ...parseSearch(`?q=${'a'.repeat(2001)}&page=2`) }).toEqual({ page: '2' })
    const many = Array.from({ length: 200 }, (_, at) => `p${at}=1`).join('&')
    expect(Object.keys(parseSearch(many))).toHaveLength(100)
  })

  it('any text is read back as it was written', () => {
    const searches = fc.dictionary(fc.string({ minLength: 1 }), fc.string({ unit: 'binary', maxLength: 40 }))
    fc.assert(
      fc.property(searches, (search) => {
        const once = parseSearch(stringifySearch(search))
        expect(stringifySearch(parseSearch(stringifySearch(once)))).toBe(stringifySearch(once))
        for (const value of Object.values(once)) expect(value).toBe(cleanText(String(value)))
      }),
    )
  })
})

describe('text', () => {
  it('only NUL and lone surrogates are removed', () => {
    expect(cleanText('a\u0000b\ud83c\udfacc\ud83cd\udfac')).toBe('ab🎬cd')
    expect(cleanText('🎬🎬', 3)).toBe('🎬')
  })
})

describe('a path with percent signs', () => {
  it.each([
    ['/products/%', '/products/%25'],
    ['/products/%E0%A4%A', '/products/%25E0%25A4%25A'],
    ['/products/%ED%A0%80', '/products/%25ED%25A0%2580'],
    ['/products/a%00', '/products/a%2500'],
    ['/products/%F0%9F%8E%AC', '/products/%F0%9F%8E%AC'],
    ['/faq', '/faq'],
  ])('%s is repaired to %s', (path, repaired) => expect(repairPath(path)).toBe(repaired))

  it('can be decoded after the repair', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('%', '%00', 'e', '0', 'A', '4', '/', 'é') }), (path) => {
        expect(decodeURIComponent(repairPath(path))).not.toContain('\0')
      }),
    )
  })
})

describe('a search schema', () => {
  const schema = searchSchema(
    {
      q: text(5),
      page: pageNumber,
      price: amountUpTo(100),
      ask: flag,
      kind: anyOf(['PAY', 'VOD']),
      sort: z.enum(['a', 'b']),
    },
    { page: 1 },
  )
  const read = (search: string) => schema.parse(parseSearch(search))
  const missing = { q: undefined, page: 1, price: undefined, ask: undefined, kind: undefined, sort: undefined }

  it('converts values to their types', () =>
    expect(read('?q=%20two%20&page=2&price=9.5&ask=true&kind=VOD&kind=PAY&kind=x&sort=b')).toEqual({
      q: 'two',
      page: 2,
      price: 9.5,
      ask: true,
      kind: ['PAY', 'VOD'],
      sort: 'b',
    }))
  it('accepts the values of a link as well', () =>
    expect(schema.parse({ page: 3, ask: true, kind: ['PAY'] })).toEqual({
      ...missing,
      page: 3,
      ask: true,
      kind: ['PAY'],
    }))
  it.each(['', '?page=two&price=-1&ask=1&kind=x&sort=c', '?page=1e3&price=1e400', '?page=0x10&price=', '?page=10001'])(
    '%s counts as missing',
    (search) => expect(read(search)).toEqual(missing),
  )
  it('reads the first of several values where one is expected', () =>
    expect(read('?q=a&q=b&page=3&page=4')).toEqual({ ...missing, q: 'a', page: 3 }))
  it('cuts too long text', () => expect(read('?q=abcdefgh').q).toBe('abcde'))
  it('has defaults where it defines them', () =>
    expectTypeOf<SearchOf<typeof schema>['page']>().toEqualTypeOf<number>())
})

test('every search schema reads any URL, and reads its own output unchanged', () => {
  const schemas = (route: AnyRoute): SearchSchema<Record<string, never>, unknown>[] => [
    ...(route.options.validateSearch ? [route.options.validateSearch as never] : []),
    ...Object.values((route.children ?? {}) as AnyRoute[]).flatMap(schemas),
  ]
  const allSchemas = schemas(routeTree as AnyRoute)
  expect(allSchemas.length).toBeGreaterThan(20)
  const nasty = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom('2', 'true', '{"a":1}', '[1]', '1e400', '-0', 'VOD', '2026-02-31', '__proto__', 'a'.repeat(8000)),
  )
  for (const schema of allSchemas) {
    const search = fc.record(
      Object.fromEntries(Object.keys(schema.shape).map((name) => [name, fc.oneof(nasty, fc.array(nasty))])),
    )
    fc.assert(
      fc.property(search, (given) => {
        const read = schema.parse(parseSearch(stringifySearch(given)))
        expect(Object.keys(read)).toEqual(Object.keys(schema.shape))
        expect(schema.parse(parseSearch(stringifySearch(read)))).toEqual(read)
        expect(JSON.stringify(read)).not.toMatch(/\\u0000|\\ud[89a-f]/)
      }),
      { numRuns: 60 },
    )
  }
})

test('the URL of a product list omits defaults', () =>
  expect(parseProductsSearch(parseSearch('?sort=sort,DESC&page=1&q='))).toEqual(parseProductsSearch({})))
