import { parseSync, Visitor } from 'oxc-parser'
import type { Plugin } from 'vite'

interface Change {
  from: number
  to: number
  text: string
}

const changed = (code: string, changes: readonly Change[]): string =>
  changes
    .toSorted((a, b) => b.from - a.from)
    .reduce((text, { from, to, text: written }) => text.slice(0, from) + written + text.slice(to), code)

const parse = (code: string) => parseSync('procedures.js', code).program

/** Removes calls of `.input(…)` and `.output(…)`, and the texts that document procedures. */
const withoutSchemas = (code: string): string => {
  const changes: Change[] = []
  new Visitor({
    CallExpression: ({ callee, end }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      if (/^(?:in|out)put$/.test(callee.property.name)) changes.push({ from: callee.object.end, to: end, text: '' })
    },
    Property: ({ key, value: { type, start: from, end: to } }) => {
      const isText = key.type === 'Identifier' && /^(?:summary|description)$/.test(key.name) && type === 'Literal'
      if (isText) changes.push({ from, to, text: '""' })
    },
  }).visit(parse(code))
  return changed(code, changes)
}

/** The names that code refers to, other than in imports and as names of properties. */
const namesUsedIn = (program: ReturnType<typeof parse>): ReadonlySet<string> => {
  const names = new Map<number, string>()
  const others: number[] = []
  new Visitor({
    Identifier: ({ name, start }) => void names.set(start, name),
    Property: ({ key, shorthand }) => void (shorthand || others.push(key.start)),
    ImportSpecifier: ({ imported, local }) => void others.push(imported.start, local.start),
    ImportNamespaceSpecifier: ({ local }) => void others.push(local.start),
  }).visit(program)
  for (const at of others) names.delete(at)
  return new Set(names.values())
}

/** Removes imports of which nothing is used: a bundler may still load their modules. */
const withoutUnusedImports = (code: string): string => {
  const program = parse(code)
  const used = namesUsedIn(program)
  const unused = program.body.filter(
    (statement) =>
      statement.type === 'ImportDeclaration' && statement.specifiers.every(({ local }) => !used.has(local.name)),
  )
  return changed(
    code,
    unused.map(({ start: from, end: to }) => ({ from, to, text: '' })),
  )
}

/**
 * Leaves the schemas and the documentation of procedures out of a client. It needs the methods and
 * paths alone: the API checks what it receives and what it sends.
 */
export const contractRoutes = (): Plugin => ({
  name: 'marquee:contract-routes',
  apply: 'build',
  enforce: 'post',
  transform: {
    filter: { id: /\/contract\/procedures\/[\w-]+\.ts$/ },
    handler: (code) => ({ code: withoutUnusedImports(withoutSchemas(code)), map: null }),
  },
})
