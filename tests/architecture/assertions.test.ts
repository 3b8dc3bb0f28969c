import { globSync, readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'

interface Assertions {
  /** `value as Type`, without `as const`. */
  casts: string[]
  /** `value!`. */
  nonNull: string[]
  /** `...{ a, b }` in an object or in JSX: properties spread to save lines. */
  literalSpreads: string[]
}

const assertionsIn = (file: string, text: string): Assertions => {
  const assertions: Assertions = { casts: [], nonNull: [], literalSpreads: [] }
  const placeOf = (start: number) => `${file}:${text.slice(0, start).split('\n').length}`
  new Visitor({
    TSAsExpression({ start, typeAnnotation }) {
      if (text.slice(typeAnnotation.start, typeAnnotation.end) !== 'const') assertions.casts.push(placeOf(start))
    },
    TSNonNullExpression: ({ start }) => void assertions.nonNull.push(placeOf(start)),
    SpreadElement({ start, argument }) {
      if (argument.type === 'ObjectExpression') assertions.literalSpreads.push(placeOf(start))
    },
    JSXSpreadAttribute({ start, argument }) {
      if (argument.type === 'ObjectExpression') assertions.literalSpreads.push(placeOf(start))
    },
  }).visit(parseSync(file, text).program)
  return assertions
}

const parsed = new Map<string, Assertions>()

/** The assertions of a file, which is parsed once. */
const assertionsOf = (file: string): Assertions => {
  const assertions = parsed.get(file) ?? assertionsIn(file, readFileSync(file, 'utf8'))
  parsed.set(file, assertions)
  return assertions
}

test('type assertions in source text are found', () => {
  const text = 'const a = b as C\nconst d = [1] as const\nconst e = f!.g\nconst h = { ...{ a, b }, ...c }'
  expect(assertionsIn('x.ts', text)).toEqual({ casts: ['x.ts:1'], nonNull: ['x.ts:3'], literalSpreads: ['x.ts:4'] })
  const elements = '<A {...{ b, c }} />\n<A {...d} />\n<A {...(e && { f })} />'.replaceAll(/^/gm, ';')
  expect(assertionsIn('x.tsx', elements).literalSpreads).toEqual(['x.tsx:1'])
})

const productFiles = globSync('{app,admin,contract,api,server,cli}/**/*.{ts,tsx}').filter(
  (file) => !/\.test\.tsx?$|routeTree\.gen/.test(file),
)

test('the product has few type assertions', () => {
  const all = productFiles.map(assertionsOf)
  const places = (kind: keyof Assertions) => all.flatMap((found) => found[kind])
  expect(places('casts').length, places('casts').join('\n')).toBeLessThanOrEqual(60)
  expect(places('nonNull').length, places('nonNull').join('\n')).toBeLessThanOrEqual(20)
})

/** Whether a comment is in the line of a place, or in one of the two lines before it. */
const hasReason = (place: string) => {
  const [file = '', line = ''] = place.split(':')
  const around = readFileSync(file, 'utf8')
    .split('\n')
    .slice(Math.max(0, Number(line) - 3), Number(line))
  return around.some((text) => text.includes('//') || text.includes('*/'))
}

test('each type assertion has its reason beside it', () => {
  const all = productFiles.map(assertionsOf)
  const places = all.flatMap(({ casts, nonNull }) => [...casts, ...nonNull])
  expect(places.filter((place) => !hasReason(place))).toEqual([])
})

test('no object literal is spread into another or into an element', () => {
  const files = globSync('{app,admin,contract,api,server,cli,tests,scripts,demo}/**/*.{ts,tsx}')
  const all = files.map(assertionsOf)
  expect(all.flatMap(({ literalSpreads }) => literalSpreads)).toEqual([])
})
