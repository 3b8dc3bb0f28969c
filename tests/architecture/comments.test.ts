import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'

const longest = 100

interface Span {
  start: number
  end: number
}

const commentsOf = (file: string, text: string): Span[] =>
  file.endsWith('.css')
    ? Array.from(text.matchAll(/\/\*[\s\S]*?\*\//g), ({ index, 0: comment }) => ({
        start: index,
        end: index + comment.length,
      }))
    : parseSync(file, text).comments

/** Lines with a comment that exceed the limit, including the code before it. */
const longCommentLines = (file: string, text: string): string[] => {
  const lines = text.split('\n')
  return commentsOf(file, text).flatMap(({ start, end }) => {
    const first = text.slice(0, start).split('\n').length
    const last = text.slice(0, end).split('\n').length
    return lines
      .slice(first - 1, last)
      .flatMap((line, at) =>
        line.length > longest && !/https?:\/\/\S{40}/.test(line) ? [`${file}:${first + at}`] : [],
      )
  })
}

test('long comment lines are found', () => {
  const words = 'word '.repeat(30)
  const text = `// ${words}\n/**\n * short\n * ${words}\n */\nconst a = '${words}'\n// https://example.com/${'a'.repeat(100)}`
  expect(longCommentLines('x.ts', text)).toEqual(['x.ts:1', 'x.ts:4'])
  const styles = `/* short */\n/*\n * ${words}\n */\na { content: '${words}' }`
  expect(longCommentLines('x.css', styles)).toEqual(['x.css:3'])
})

test('comments have at most 100 columns', () => {
  const files = globSync([
    '{app,api,contract,server,cli,scripts,tests,demo}/**/*.{ts,tsx,js,css}',
    'public/*.js',
    '*.config.ts',
  ]).filter((file) => !file.includes('routeTree.gen'))
  expect(files.flatMap((file) => longCommentLines(file, readFileSync(file, 'utf8')))).toEqual([])
})
