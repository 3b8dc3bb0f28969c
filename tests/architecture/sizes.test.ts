import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const longest = 300

const lineCounts = globSync('{app,api,server,cli}/**/*.{ts,tsx}')
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
