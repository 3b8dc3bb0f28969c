import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packJson, unpackJson } from './packed-json'

test('repeated strings are written once, and lists of equal objects as tables', () => {
  const list = [
    { id: 'product-1', category: 'category-1' },
    { id: 'product-2', category: 'category-1' },
  ]
  expect(packJson({ list })).toBe(
    "[['category-1'],{'list':['~t',['id','category'],'product-1','~0','product-2','~0']},[]]",
  )
})

test('the keys that several objects have are written once', () => {
  const data = { wide: { url: 'a', width: 2 }, tall: { url: 'b', width: 1 }, 'url,width': { 'url,width': 1, c: 2 } }
  expect(packJson(data)).toBe(
    "[[],{'wide':['~k0','a',2],'tall':['~k0','b',1],'url,width':{'url,width':1,'c':2}},['url,width']]",
  )
  expect(unpackJson(packJson(data))).toStrictEqual(data)
})

test('undefined, and text that begins with `~`, are kept', () => {
  const data = { pageParams: [undefined, 2], texts: ['~', '~t', '~0', '~~', 'plain'], empty: [{}, {}] }
  expect(unpackJson(packJson(data))).toStrictEqual(data)
})

test('any JSON is the same after packing and unpacking', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('~', '~t', '~1', '~k0', 'repeated', 'repeated too'))
  const { data } = fc.letrec((tie) => ({
    data: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('data'), { maxLength: 4 }),
      fc.array(fc.record({ id: tie('data'), name: text }), { maxLength: 4 }),
      fc.tuple(fc.record({ id: tie('data'), name: text }), text, fc.record({ id: text, name: tie('data') })),
      fc.dictionary(fc.string(), tie('data'), { maxKeys: 4 }),
    ),
  }))
  fc.assert(
    fc.property(data, (value) => {
      expect(unpackJson(packJson(value))).toEqual(value)
    }),
  )
})

test('what is not JSON is refused', () => {
  expect(() => packJson({ at: new Date() })).toThrow('Only JSON can be packed')
})
