import { globSync, readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'

/** Files that may hold SQL: queries and tables of modules, and the platform's own of the database. */
const holdsSql = (file: string) => /\.(?:queries|schema)\.ts$/.test(file) || file.startsWith('api/platform/db/')

/** What a connection, a pool or a transaction is called, at the end of an expression such as `ctx.db`. */
const connection = /(?:^|\.)(?:db|tx|pool|client|owner|ownerPool|\$client)$/

/** Why a file speaks SQL: it imports values of drizzle or tables, or sends statements over a connection. */
const sqlIn = (file: string, text: string): string[] => {
  const { module, program } = parseSync(file, text)
  const found = module.staticImports
    .filter(({ entries }) => entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => moduleRequest.value)
    .filter((specifier) => /^drizzle-orm(?:\/|$)/.test(specifier) || specifier.endsWith('.schema.ts'))
    .map((specifier) => `imports ${specifier}`)
  new Visitor({
    MemberExpression: ({ property }) => {
      if (property.type === 'Identifier' && property.name === '$client') found.push('uses $client')
    },
    CallExpression: ({ callee }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      const verb = callee.property.name
      const subject = text.slice(callee.object.start, callee.object.end)
      if (/^(?:query|execute|select|selectDistinct|insert|update|delete)$/.test(verb) && connection.test(subject))
        found.push(`calls ${subject}.${verb}`)
    },
  }).visit(program)
  return [...new Set(found)]
}

test('what counts as SQL is found', () => {
  const reasons = (text: string) => sqlIn('api/modules/orders/orders.ts', text)
  expect(reasons("import { eq } from 'drizzle-orm'")).toEqual(['imports drizzle-orm'])
  expect(reasons("import { orders } from './orders.schema.ts'")).toEqual(['imports ./orders.schema.ts'])
  expect(reasons('await ctx.db.insert(table).values(row)')).toEqual(['calls ctx.db.insert'])
  expect(reasons("await pool.query('SELECT 1')")).toEqual(['calls pool.query'])
  expect(reasons("await db.$client.query('SELECT 1')")).toEqual(['calls db.$client.query', 'uses $client'])
  expect(
    reasons("import type { Row } from './orders.schema.ts'\nimport type { SQL } from 'drizzle-orm'\nmap.delete(key)"),
  ).toEqual([])
})

test('SQL stands in *.queries.ts and *.schema.ts alone', () => {
  const found = globSync('{api,cli}/**/*.ts')
    .filter((file) => !holdsSql(file) && !file.endsWith('.test.ts'))
    .flatMap((file) => sqlIn(file, readFileSync(file, 'utf8')).map((reason) => `${file} ${reason}`))
  expect(found).toEqual([])
})
