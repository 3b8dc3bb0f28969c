import { globSync, readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'

const longest = 300

const lineCounts = globSync('{app,admin,api,server,cli,contract}/**/*.{ts,tsx}')
  .filter((file) => !file.includes('routeTree.gen'))
  .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length - 1 }))

test('files have at most 300 lines, except generated ones', () => {
  expect(lineCounts.length).toBeGreaterThan(500)
  expect(lineCounts.filter(({ lines }) => lines > longest)).toEqual([])
})

test('app and api have at most 700 files', () => {
  const files = lineCounts.filter(({ file }) => /^(?:app|api)\//.test(file) && !file.includes('.test.'))
  expect(files.length).toBeLessThanOrEqual(700)
})

const longestFunction = 120

/** Where functions of more than `limit` lines begin. */
const longFunctionsIn = (file: string, text: string, limit = longestFunction): string[] => {
  const faults: string[] = []
  const lineOf = (at: number) => text.slice(0, at).split('\n').length
  const measure = ({ start, end }: { start: number; end: number }) => {
    const first = lineOf(start)
    const lines = lineOf(end) - first + 1
    if (lines > limit) faults.push(`${file}:${first} has ${lines} lines`)
  }
  new Visitor({
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  }).visit(parseSync(file, text).program)
  return faults
}

test('long functions in source text are found', () => {
  const text = 'function a() {\n\n}\nconst b = () => {\n  return c(function () {})\n}\nclass D { e() {\n\n} }'
  expect(longFunctionsIn('x.ts', text, 2)).toEqual(['x.ts:1 has 3 lines', 'x.ts:4 has 3 lines', 'x.ts:7 has 3 lines'])
})

test('functions have at most 120 lines', () => {
  const files = globSync('{app,admin,api,server,cli,contract,scripts}/**/*.{ts,tsx}').filter(
    (file) => !/\.test\.tsx?$|routeTree\.gen/.test(file),
  )
  expect(files.flatMap((file) => longFunctionsIn(file, readFileSync(file, 'utf8')))).toEqual([])
})
