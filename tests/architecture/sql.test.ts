import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'

/**
 * Files that may hold SQL: queries and tables of modules, and the platform's own of the database.
 */
const holdsSql = (file: string) => /\.(?:queries|schema)\.ts$/.test(file) || file.startsWith('api/platform/db/')

/**
 * Names of connections, pools and transactions, at the end of an expression such as `ctx.db`.
 */
const connection = /(?:^|\.)(?:db|tx|pool|client|owner|ownerPool|\$client)$/

/**
 * Why a file counts as SQL: it imports values of drizzle or tables, or sends statements over a
 * connection.
 */
const sqlIn = (file: string, text: string): string[] => {
  const { module, program } = parseSync(file, text)
  const reasons = module.staticImports
    .filter(({ entries }) => entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => moduleRequest.value)
    .filter((specifier) => /^drizzle-orm(?:\/|$)/.test(specifier) || specifier.endsWith('.schema.ts'))
    .map((specifier) => `imports ${specifier}`)
  new Visitor({
    MemberExpression: ({ property }) => {
      if (property.type === 'Identifier' && property.name === '$client') reasons.push('uses $client')
    },
    CallExpression: ({ callee }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      const method = callee.property.name
      const subject = text.slice(callee.object.start, callee.object.end)
      if (/^(?:query|execute|select|selectDistinct|insert|update|delete)$/.test(method) && connection.test(subject))
        reasons.push(`calls ${subject}.${method}`)
    },
  }).visit(program)
  return [...new Set(reasons)]
}

test('SQL in source text is found', () => {
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

test('SQL is written in *.queries.ts and *.schema.ts alone', () => {
  const faults = globSync('{api,cli,server}/**/*.ts')
    .filter((file) => !holdsSql(file) && !file.endsWith('.test.ts'))
    .flatMap((file) => sqlIn(file, readFileSync(file, 'utf8')).map((reason) => `${file} ${reason}`))
  expect(faults).toEqual([])
})

/**
 * A statement that changes rows, as text or built by drizzle. A lock (`FOR UPDATE`) changes none.
 */
const writes =
  /\b(?:INSERT INTO|DELETE FROM|(?<!FOR |KEY )UPDATE\s+(?!SET\b|OF\b)[a-z$])|\b(?:db|tx)\s*\.(?:insert|update|delete)\(/

const targetOf = (file: string, specifier: string) =>
  specifier.startsWith('#') ? specifier.slice(1) : normalize(join(dirname(file), specifier))

/** The imports of a file, by their names in it. */
const importsOf = (file: string) => {
  const { module } = parseSync(file, readFileSync(file, 'utf8'))
  return module.staticImports.flatMap(({ moduleRequest, entries }) =>
    entries.map(({ localName, importName }) => ({
      local: localName.value,
      key: `${targetOf(file, moduleRequest.value)} ${importName.name}`,
    })),
  )
}

/**
 * Finds the functions of queries files that change rows, themselves or through another function, as
 * `<file> <name>`.
 */
const findWriters = (files: readonly string[]): Set<string> => {
  const declarations = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const imported = new Map(importsOf(file).map(({ local, key }) => [local, key]))
    return parseSync(file, text).program.body.flatMap((statement) => {
      const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
      if (declared?.type !== 'VariableDeclaration') return []
      return declared.declarations.flatMap(({ id, start, end }) => {
        if (id.type !== 'Identifier') return []
        const source = text.slice(start, end)
        const names = source.match(/\b[A-Za-z_]\w*\b/g) ?? []
        return [
          { key: `${file} ${id.name}`, source, uses: names.map((name) => imported.get(name) ?? `${file} ${name}`) },
        ]
      })
    })
  })
  const writers = new Set(declarations.filter(({ source }) => writes.test(source)).map(({ key }) => key))
  for (let before = -1; before !== writers.size; ) {
    before = writers.size
    for (const { key, uses } of declarations) if (uses.some((used) => writers.has(used))) writers.add(key)
  }
  return writers
}

/** The module of a file; files outside the modules are of none. */
const moduleOf = (file: string) => /^api\/(?:platform|modules\/[^/]+)/.exec(file)?.[0]

/** Writes a table whose name it is given. Decision 33 lists the tables of others it is used for. */
const writerOfAnyTable = 'api/modules/import-export/tables/import-export.queries.ts upsertRows'

test('functions of queries files that change rows are imported by their own module alone', () => {
  const writers = findWriters(globSync('api/**/*.queries.ts'))
  expect(writers).toContain(writerOfAnyTable)
  expect(writers).toContain('api/modules/orders/orders.queries.ts updateOrder')
  expect(writers).toContain('api/modules/orders/cart.queries.ts lockCart')
  expect(writers).not.toContain('api/modules/orders/orders.queries.ts lockOrder')
  const strays = globSync('{api,cli,server}/**/*.ts').flatMap((file) =>
    importsOf(file)
      .filter(({ key }) => writers.has(key) && moduleOf(key) !== moduleOf(file))
      .map(({ key }) => `${file} → ${key}`),
  )
  expect(strays).toEqual([])
})

/**
 * Tables of later modules that statements name. A paid price, an order of a shown title, who has a
 * product, whose an address is, a store's prices and the target of a banner are read where they are
 * needed, because the order of the modules cannot be another one.
 */
const laterTables = [
  'catalog → entitlements',
  'catalog → order_items',
  'content → plans',
  'entitlements → order_items',
  'entitlements → orders',
  'storefront → order_items',
  'storefront → orders',
  'tenancy → plans',
  'tenancy → products',
]

/** The guide lists the modules in their order. */
const modulesInOrder = (() => {
  const [, list = ''] = readFileSync('docs/architecture.md', 'utf8').split('## Modules of the API')
  return [...list.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name)
})()

test('statements name tables of their own module and of those before it', () => {
  const moduleNameOf = (file: string) => /^api\/modules\/([^/]+)/.exec(file)?.[1]
  const owners = new Map(
    globSync('api/modules/**/*.schema.ts').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/pgTable\(\s*'(\w+)'/g)].map(([, table]) => [table, moduleNameOf(file)]),
    ),
  )
  const faults = globSync('api/modules/**/*.{queries,schema}.ts').flatMap((file) => {
    const position = modulesInOrder.indexOf(moduleNameOf(file) ?? '')
    return [...readFileSync(file, 'utf8').matchAll(/\b(?:FROM|JOIN|INTO|UPDATE)\s+([a-z_]+)/g)]
      .filter(([, table]) => modulesInOrder.indexOf(owners.get(table) ?? '') > position)
      .map(([, table]) => `${moduleNameOf(file)} → ${table}`)
  })
  expect([...new Set(faults)].sort()).toEqual(laterTables)
})

test('only the database client creates pools and connections, which have error listeners', () => {
  const files = globSync('{api,server,cli,demo,scripts}/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
  const creating = files.filter((file) => /new (?:pg\.)?(?:Pool|Client)\(/.test(readFileSync(file, 'utf8')))
  expect(creating).toEqual(['api/platform/db/client.ts'])
})
