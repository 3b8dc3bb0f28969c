import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'

/**
 * Who may import whom. A room is a path prefix, the longest one wins; what it lists besides itself is all it may import of
 * the project. Packages are free, except where `packages` says otherwise.
 */
const rooms: Record<string, { imports: string[]; packages?: RegExp }> = {
  contract: { imports: [], packages: /^(zod|@orpc\/contract)(\/|$)/ },

  // Pictures are asked for in the sizes the contract lists.
  'app/ui': { imports: ['contract/picture-variants'], packages: /^(react|react-dom|@ark-ui\/react)(\/|$)/ },
  'app/platform': { imports: ['contract'] },
  'app/parts': { imports: ['app/platform', 'app/ui'] },
  'app/features': { imports: ['app/parts', 'app/platform', 'app/ui', 'contract'] },
  'app/site': { imports: ['app/features', 'app/platform', 'app/ui', 'contract'] },
  'app/modals': { imports: ['app/features', 'app/platform', 'app/ui'] },
  'app/routes': { imports: ['app/site', 'app/features', 'app/modals', 'app/platform', 'app/ui', 'contract'] },
  app: { imports: ['app/routes', 'app/site', 'app/features', 'app/modals', 'app/platform', 'app/ui', 'contract'] },

  // Small parts of no rule that several rooms share: the context of a call, a cache, a limit, clean HTML.
  api: { imports: ['api/db', 'contract'] },
  'api/db': { imports: ['api/context', 'api/startup-error', 'contract'] },
  'api/media': { imports: ['api/lock-connection', 'api/startup-error', 'contract'] },
  'api/mail': { imports: ['contract'] },
  'api/addresses': { imports: ['contract'] },
  'api/payments': { imports: ['api/db', 'api/seal', 'contract'] },
  'api/domain': {
    imports: [
      'api/db',
      'api/mail',
      'api/media',
      'api/payments/port',
      'api/context',
      'api/html',
      'api/network',
      'api/seal',
      'api/tenant-cache',
      'contract',
    ],
  },
  'api/http': {
    imports: [
      'api/domain',
      'api/db',
      'api/media',
      'api/context',
      'api/deps',
      'api/network',
      'api/payment-env',
      'api/rate-limit',
      'api/shared-limit',
      'api/secrets',
      'api/store-clock',
      'api/store-origin',
      'api/mail',
      'api/receipts',
      'contract',
    ],
  },
  'api/jobs': {
    imports: [
      ...['api/domain', 'api/db', 'api/media', 'api/payments', 'api/context', 'api/deps', 'api/payment-env'],
      ...['api/lock-connection', 'api/store-origin'],
      'contract',
    ],
  },
  'api/payment-env': { imports: ['api/domain', 'api/db', 'api/context', 'api/deps', 'api/secrets'] },
  'api/store-origin': { imports: ['api/db', 'api/context', 'api/deps'] },
  'api/payment-choice': { imports: ['api/payments', 'api/context', 'api/seal'] },
  'api/deps': { imports: ['api', 'contract'] },

  // The composition: it alone sees the API whole. The built storefront it knows by its one function, not by an import.
  server: { imports: ['api', 'contract'] },
  // The operators' commands: as much as the server sees, and the server's way of opening the data.
  cli: { imports: ['server', 'api', 'contract'] },
  'server/demo': { imports: ['server', 'demo', 'api', 'contract'] },
  // The tool that fills a tenant opens the database as a starting store does.
  demo: { imports: ['api', 'contract', 'server/open-database'] },
  'demo/seed-bulk': { imports: ['demo', 'server', 'api', 'contract'] },
}

const sources = globSync('{app,contract,api,server,cli,demo}/**/*.{ts,tsx}').filter(
  (file) => !file.includes('routeTree.gen'),
)
const roomOf = (file: string) =>
  Object.keys(rooms)
    .filter((room) => file === room || file.startsWith(`${room}/`) || file.startsWith(`${room}.`))
    .sort((a, b) => b.length - a.length)[0]

/** The project file an import names, or undefined for a package. */
function target(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1)
  if (specifier.startsWith('~/')) return `app/${specifier.slice(2)}`
  if (specifier.startsWith('.')) return normalize(join(dirname(file), specifier))
  return undefined
}

const imports = sources.flatMap((file) => {
  const { module } = parseSync(file, readFileSync(file, 'utf8'))
  const named = [
    ...module.staticImports.map((i) => i.moduleRequest.value),
    ...module.staticExports.flatMap((e) => e.entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
  ]
  const text = readFileSync(file, 'utf8')
  const lazy = module.dynamicImports.map((i) => text.slice(i.moduleRequest.start + 1, i.moduleRequest.end - 1))
  return [...new Set([...named, ...lazy])].map((specifier) => ({ file, specifier }))
})

test('every import of the project goes where the table allows', () => {
  const strays = imports.flatMap(({ file, specifier }) => {
    const from = roomOf(file)
    const to = target(file, specifier)
    if (!from) return [`${file} stands in no room`]
    const { imports: allowed, packages } = rooms[from]!
    if (to === undefined) return packages && !packages.test(specifier) ? [`${file} → package ${specifier}`] : []
    const into = roomOf(to)
    const inside =
      into === from || allowed.some((room) => to === room || to.startsWith(`${room}/`) || to.startsWith(`${room}.`))
    return inside ? [] : [`${file} → ${to}`]
  })
  expect(strays).toEqual([])
})

test('a feature sees of another only its server functions, queries and search words', () => {
  const feature = (path: string) => /^app\/features\/([^/]+)/.exec(path)?.[1]
  const open = /\.(functions|queries|search)$/
  const strays = imports.flatMap(({ file, specifier }) => {
    const to = target(file, specifier)
    const [here, there] = [feature(file), to && feature(to)]
    if (!to || !here || !there || here === there || open.test(to) || /\/use-[a-z-]+$/.test(to)) return []
    return [`${file} → ${to}`]
  })
  expect(strays).toEqual([])
})

test('the storefront holds no part that only Node has', () => {
  const strays = imports.filter(
    ({ file, specifier }) =>
      file.startsWith('app/') && (specifier.startsWith('node:') || /^(pg|drizzle-orm|pino|srvx)(\/|$)/.test(specifier)),
  )
  expect(strays).toEqual([])
})

test('there are no barrels, no drawers for odds and ends, and no default exports but where a tool asks for one', () => {
  const drawers = sources.filter((file) => /(^|\/)(utils|helpers|common|lib)(\/|\.)/.test(file))
  const barrels = sources.filter((file) => {
    const { module } = parseSync(file, readFileSync(file, 'utf8'))
    return (
      module.staticExports.length > 0 &&
      module.staticExports.every((e) => e.entries.every((entry) => entry.moduleRequest))
    )
  })
  const defaults = sources.filter((file) => {
    if (file === 'app/server.ts') return false
    const { module } = parseSync(file, readFileSync(file, 'utf8'))
    return module.staticExports.some((e) => e.entries.some((entry) => entry.exportName.kind === 'Default'))
  })
  expect({ drawers, barrels, defaults: defaults.map((file) => relative('.', file)) }).toEqual({
    drawers: [],
    barrels: [],
    defaults: [],
  })
})

test('search parameters are read through the schema of a route alone', () => {
  const reads = sources
    .filter((file) => file.startsWith('app/'))
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8')
      const found: string[] = []
      const parsed = new Set<object>()
      const { module, program } = parseSync(file, text)
      for (const { moduleRequest, entries } of module.staticImports)
        for (const { importName } of entries)
          if (
            moduleRequest.value.startsWith('@tanstack/') &&
            /^(?:default|js)?[pP]arseSearch/.test(importName.name ?? '')
          )
            found.push(`${file} imports ${importName.name}`)
      new Visitor({
        // `schema.parse(location.search)` is how a loader, which is not given the parameters, reads them.
        CallExpression: ({ callee, arguments: [given] }) => {
          const parses =
            callee.type === 'MemberExpression' &&
            callee.property.type === 'Identifier' &&
            callee.property.name === 'parse'
          if (parses && given) parsed.add(given)
        },
        MemberExpression: (node) => {
          const { object, property } = node
          const of = object.type === 'MemberExpression' ? object.property : object
          const named = of.type === 'Identifier' && /location$/i.test(of.name)
          if (named && property.type === 'Identifier' && property.name === 'search' && !parsed.has(node))
            found.push(`${file} reads ${text.slice(node.start, node.end)}`)
        },
        Property: ({ key, value }) => {
          const loose =
            key.type === 'Identifier' && key.name === 'strict' && value.type === 'Literal' && value.value === false
          if (loose) found.push(`${file} says strict: false`)
        },
        VariableDeclarator: ({ id, init }) => {
          const from =
            init?.type === 'CallExpression' && init.callee.type === 'Identifier'
              ? init.callee.name
              : init?.type === 'Identifier'
                ? init.name
                : ''
          if (id.type !== 'ObjectPattern' || !/location$/i.test(from)) return
          for (const property of id.properties)
            if (property.type === 'Property' && property.key.type === 'Identifier' && property.key.name === 'search')
              found.push(`${file} takes search from ${from}`)
        },
      }).visit(program)
      return found
    })
  expect(reads).toEqual(['app/router.tsx takes search from location'])
})
