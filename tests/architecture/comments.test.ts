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
    '{app,admin,api,contract,server,cli,scripts,tests,demo}/**/*.{ts,tsx,js,css}',
    'public/*.js',
    '*.config.ts',
  ]).filter((file) => !file.includes('routeTree.gen'))
  expect(files.flatMap((file) => longCommentLines(file, readFileSync(file, 'utf8')))).toEqual([])
})

/** Words that say nothing about one declaration. */
const fillers = new Set(
  'a all an and are as at be by for from given in is it its member of on one or returns s store that the this to whether with'.split(
    ' ',
  ),
)

const stemsOf = (text: string) =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '' && !fillers.has(word))
    .map((word) => word.replace(/ies$/, 'y').replace(/(?:ing|ed|es|s|e)$/, ''))

/** TSDoc of one line whose words are all in the name below it. Figures and examples say more. */
const repeatedNames = (file: string, text: string): string[] =>
  Array.from(
    text.matchAll(
      /\/\*\* ([^*\d`"]+) \*\/\n\s*(?:export )?(?:async )?(?:(?:const|function|class|interface|type) )?([A-Za-z]+)/g,
    ),
  ).flatMap(({ index, 1: comment = '', 2: name = '' }) => {
    const stems = new Set(stemsOf(name))
    return stemsOf(comment).every((stem) => stems.has(stem))
      ? [`${file}:${text.slice(0, index).split('\n').length}`]
      : []
  })

test('comments that repeat a name are found', () => {
  const text = [
    '/** Inserts a card. */\nexport const insertCard = 1',
    '/** Inserts a card and returns its id. */\nconst insertOtherCard = 2',
    '/** The size in bytes. */\n  size: number',
    '/** The size. */\n  size: number',
  ]
  expect(repeatedNames('x.ts', text.join('\n'))).toEqual(['x.ts:1', 'x.ts:7'])
})

test('comments say more than the name below them', () => {
  const files = globSync('{app,admin,api,contract,server,cli,scripts}/**/*.{ts,tsx}').filter(
    (file) => !/\.test\.tsx?$|routeTree\.gen/.test(file),
  )
  expect(files.flatMap((file) => repeatedNames(file, readFileSync(file, 'utf8')))).toEqual([])
})

/** Names that libraries and browsers declare, not the repository. */
const foreignNames = new Set(['requestPayment', 'requestIssueBillingKey'])

/** Names in the code spans of comments that no code declares or uses. */
const staleNames = (sources: readonly { file: string; text: string }[]): string[] => {
  const words = (text: string) => text.match(/[A-Za-z_$][\w$]*/g) ?? []
  const names = new Set<string>()
  const spans: { file: string; name: string }[] = []
  for (const { file, text } of sources) {
    let code = text
    for (const { start, end, value } of parseSync(file, text).comments) {
      code = code.slice(0, start) + ' '.repeat(end - start) + code.slice(end)
      for (const [, name = ''] of value.matchAll(/`([A-Za-z]*[a-z][A-Z]\w*)`/g)) spans.push({ file, name })
    }
    for (const name of words(code)) names.add(name)
  }
  return spans.flatMap(({ file, name }) => (names.has(name) || foreignNames.has(name) ? [] : [`${file}: ${name}`]))
}

test('names in comments that no code has are found', () => {
  const text = '/** Calls `onChange`, then `formerName`. */\nconst f = (onChange: () => void) => 1'
  expect(staleNames([{ file: 'x.ts', text }])).toEqual(['x.ts: formerName'])
})

test('names in comments exist in the code', () => {
  const files = globSync('{app,admin,api,contract,server,cli,scripts,tests,demo}/**/*.{ts,tsx}').filter(
    (file) => !file.includes('routeTree.gen'),
  )
  expect(staleNames(files.map((file) => ({ file, text: readFileSync(file, 'utf8') })))).toEqual([])
})
