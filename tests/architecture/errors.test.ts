import { globSync, readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'

/** Classes in a file that extend an error and whose `name` is not their own. */
const misnamedErrors = (file: string, text: string): string[] => {
  const faults: string[] = []
  // Parsing takes long, and most files have no such class.
  if (!/\bclass\b[^{]*\bextends\b/.test(text)) return faults
  const errors = new Set<string>()
  new Visitor({
    ClassDeclaration({ id, superClass, body }) {
      if (!id || superClass?.type !== 'Identifier') return
      if (!superClass.name.endsWith('Error') && !errors.has(superClass.name)) return
      errors.add(id.name)
      const name = body.body.find(
        (member) =>
          member.type === 'PropertyDefinition' && member.key.type === 'Identifier' && member.key.name === 'name',
      )
      const value = name?.type === 'PropertyDefinition' && name.value?.type === 'Literal' ? name.value.value : undefined
      if (value !== id.name) faults.push(`${file}: ${id.name}`)
    },
  }).visit(parseSync(file, text).program)
  return faults
}

test('errors without their own name are found', () => {
  const text = `
    class Right extends Error { override readonly name = 'Right' }
    class Renamed extends TypeError { override readonly name = 'Former' }
    class Unnamed extends Right {}
    class Other extends Shape {}`
  expect(misnamedErrors('x.ts', text)).toEqual(['x.ts: Renamed', 'x.ts: Unnamed'])
})

test('each error has the name of its class, which logs show', () => {
  const files = globSync('{api,app,admin,cli,contract,server,tests,scripts,demo}/**/*.{ts,tsx}').filter(
    (file) => !file.includes('routeTree.gen'),
  )
  expect(files.flatMap((file) => misnamedErrors(file, readFileSync(file, 'utf8')))).toEqual([])
})

/**
 * How many sentences of a file are not for the reader of a request: what the command line or the
 * API of programs says, what a worker writes down, descriptions, and sample content.
 */
const untranslated = new Map<string, number>([
  ['admin/launch-checklist.ts', 26],
  ['analytics/analytics-table.ts', 3],
  ['billing/refund-requests.ts', 1],
  ['billing/refund-states.ts', 1],
  ['content/store-pages.ts', 6],
  ['http/media-requests.ts', 5],
  ['http/openapi.ts', 4],
  ['http/uploads.ts', 1],
  ['import-export/report.ts', 1],
  ['import-export/tables/content.ts', 1],
  ['media/encoding/make-stream.ts', 5],
  ['media/package/check-stream.ts', 1],
  ['media/package/programs.ts', 1],
  ['media/upload-paths.ts', 18],
  ['media/uploads.ts', 3],
  ['media/video-files.ts', 5],
  ['media/video-job-states.ts', 2],
  ['media/video-jobs.ts', 5],
  ['playback/protection.ts', 3],
  ['tenancy/store-states.ts', 4],
])

/** Also what begins or ends with a value, and the second part of a sentence. */
const isSentence = (text: string) =>
  /^[^a-z<].* .*[.!?]$/s.test(text) || /^(?:the|[A-Z][a-z]+) [a-z].* .*[.…]$/s.test(text)

/** Sentences in a file that are neither translated nor those of a class, such as an error. */
const sentencesIn = (file: string, text: string): string[] => {
  const found: { start: number; end: number; value: string }[] = []
  const passed: { start: number; end: number }[] = []
  new Visitor({
    CallExpression({ callee, start, end }) {
      const isTranslated =
        callee.type === 'MemberExpression' && 'name' in callee.property && callee.property.name === '_'
      if (isTranslated) passed.push({ start, end })
    },
    NewExpression: ({ start, end }) => void passed.push({ start, end }),
    Literal: ({ start, end, value }) => void (typeof value === 'string' && found.push({ start, end, value })),
    TemplateLiteral({ start, end, quasis }) {
      found.push({ start, end, value: quasis.map(({ value }) => value.raw).join('…') })
    },
  }).visit(parseSync(file, text).program)
  return found
    .filter(
      ({ start, end, value }) => isSentence(value) && !passed.some((each) => each.start <= start && end <= each.end),
    )
    .map(({ value }) => `${file}: ${value}`)
}

test('sentences that are not translated are found', () => {
  const text = `
    invalidField('name', 'Enter a name.')
    failure('CONFLICT', { errors: { name: [\`Enter \${max} names.\`] } })
    invalidField('name', i18n._('Enter another name.'))
    invalidField('file', \`The file \${name} cannot be read: \${fault}\`)
    invalidField('file', 'the file is empty.')
    throw new StartError('Set a name first.')
    insert('SHOWN')`
  expect(sentencesIn('x.ts', text)).toEqual([
    'x.ts: Enter a name.',
    'x.ts: Enter … names.',
    'x.ts: The file … cannot be read: …',
    'x.ts: the file is empty.',
  ])
})

test('modules refuse in the language of the reader', () => {
  const files = globSync('api/{http,modules}/**/*.ts').filter((file) => !/\.test\.|\/mails\//.test(file))
  const found = files.flatMap((file) => sentencesIn(file, readFileSync(file, 'utf8')))
  const counts = Map.groupBy(found, (fault) => fault.slice(0, fault.indexOf(':')).replace(/^api\/(?:modules\/)?/, ''))
  const others = [...counts].filter(([file, faults]) => faults.length !== untranslated.get(file))
  expect(others.flatMap(([, faults]) => faults)).toEqual([])
  expect([...untranslated.keys()].filter((file) => !counts.has(file))).toEqual([])
})
