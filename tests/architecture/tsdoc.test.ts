import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { problemStatus } from '#contract/problem.ts'

/** Functions that create or pass on failures of any code. */
const anyCode = 'api/platform/context.ts'
const codes = new RegExp(`\\b(?:${Object.keys(problemStatus).join('|')})\\b`)

const unitOf = (file: string) => /^api\/(?:modules\/[^/]+|platform)\//.exec(file)?.[0] ?? file.split('/')[0]

const target = (file: string, specifier: string) =>
  specifier.startsWith('#') ? specifier.slice(1) : normalize(join(dirname(file), specifier))

/** `file:name` of each function that another module, or a program outside the modules, imports. */
const importedElsewhere = (files: readonly string[]) => {
  const names = new Set<string>()
  for (const file of files)
    for (const { moduleRequest, entries } of parseSync(file, readFileSync(file, 'utf8')).module.staticImports) {
      const to = target(file, moduleRequest.value)
      if (unitOf(to) !== unitOf(file))
        for (const { importName } of entries) names.add(`${to}:${importName.name ?? '*'}`)
    }
  return names
}

interface PublicFunction {
  name: string
  /** The text of its TSDoc, or an empty text. */
  doc: string
  /** The written return type, or an empty text. */
  returns: string
}

/** The exported functions of a file. */
const functionsIn = (file: string, text: string): PublicFunction[] => {
  const { program, comments } = parseSync(file, text)
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration) return []
    const { declaration, start } = statement
    const before = comments.findLast(({ end }) => end <= start && text.slice(end, start).trim() === '')
    const doc = before?.type === 'Block' && before.value.startsWith('*') ? before.value : ''
    const describe = (name: string, type?: { start: number; end: number } | null) => ({
      name,
      doc,
      returns: type ? text.slice(type.start, type.end) : '',
    })
    if (declaration.type === 'FunctionDeclaration')
      return [describe(declaration.id?.name ?? '', declaration.returnType)]
    if (declaration.type !== 'VariableDeclaration') return []
    return declaration.declarations.flatMap(({ id, init }) =>
      id.type === 'Identifier' && (init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression')
        ? [describe(id.name, init.returnType)]
        : [],
    )
  })
}

test('exported functions are read with their documentation and return type', () => {
  const text =
    '/** Returns one. */\nexport const one = (): One | Failure => 1\nexport function two() {}\nconst three = () => 3'
  expect(functionsIn('x.ts', text)).toEqual([
    { name: 'one', doc: '* Returns one. ', returns: ': One | Failure' },
    { name: 'two', doc: '', returns: '' },
  ])
})

test('exported functions are documented, and failures that other modules get by their codes', () => {
  const used = importedElsewhere(globSync('{api,cli,demo,server}/**/*.ts'))
  const complaints = globSync('api/{modules,platform}/**/*.ts').flatMap((file) =>
    functionsIn(file, readFileSync(file, 'utf8')).flatMap(({ name, doc, returns }) => {
      if (doc === '') return [`${file}: ${name} has no TSDoc`]
      const isUsed = used.has(`${file}:${name}`) || used.has(`${file}:*`)
      const names = !isUsed || file === anyCode || !/\bFailure\b/.test(returns) || codes.test(doc)
      return names ? [] : [`${file}: the TSDoc of ${name} names no error code`]
    }),
  )
  expect(complaints).toEqual([])
})
