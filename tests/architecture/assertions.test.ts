import { globSync, readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'

interface Assertions {
  /** `value as Type`, without `as const`. */
  casts: string[]
  /** `value!`. */
  nonNull: string[]
  /** `...{ a, b }`: properties of an object literal that are spread to save lines. */
  literalSpreads: string[]
}

const assertionsIn = (file: string, text: string): Assertions => {
  const found: Assertions = { casts: [], nonNull: [], literalSpreads: [] }
  const placeOf = (start: number) => `${file}:${text.slice(0, start).split('\n').length}`
  new Visitor({
    TSAsExpression({ start, typeAnnotation }) {
      if (text.slice(typeAnnotation.start, typeAnnotation.end) !== 'const') found.casts.push(placeOf(start))
    },
    TSNonNullExpression: ({ start }) => void found.nonNull.push(placeOf(start)),
    SpreadElement({ start, argument }) {
      if (argument.type === 'ObjectExpression' && argument.properties.every(({ type }) => type === 'Property'))
        found.literalSpreads.push(placeOf(start))
    },
  }).visit(parseSync(file, text).program)
  return found
}

test('assertions of types are found', () => {
  const text = 'const a = b as C\nconst d = [1] as const\nconst e = f!.g\nconst h = { ...{ a, b }, ...c }'
  expect(assertionsIn('x.ts', text)).toEqual({ casts: ['x.ts:1'], nonNull: ['x.ts:3'], literalSpreads: ['x.ts:4'] })
})

test('the product asserts types in few places', () => {
  const files = globSync('{app,contract,api,server,cli}/**/*.{ts,tsx}').filter(
    (file) => !/\.test\.tsx?$|routeTree\.gen/.test(file),
  )
  const all = files.map((file) => assertionsIn(file, readFileSync(file, 'utf8')))
  const places = (kind: keyof Assertions) => all.flatMap((found) => found[kind])
  expect(places('casts').length, places('casts').join('\n')).toBeLessThanOrEqual(60)
  expect(places('nonNull').length, places('nonNull').join('\n')).toBeLessThanOrEqual(20)
  expect(places('literalSpreads')).toEqual([])
})
