import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'

/** The modules of the API in their order: each may import those before it. */
const modules = [
  'tenancy',
  'mail',
  'catalog',
  'content',
  'identity',
  'plans',
  'entitlements',
  'engagement',
  'storefront',
  'orders',
  'billing',
  'checkout',
  'subscriptions',
  'support',
  'media',
  'playback',
  'analytics',
  'sandbox',
  'privacy',
  'admin',
  'import-export',
]

/**
 * Who may import whom. A key is a path prefix, the longest one wins; what it lists besides itself is all it may import of
 * the project. Packages are free, except where `packages` says otherwise.
 */
const areas: Record<string, { imports: string[]; packages?: RegExp }> = {
  contract: { imports: [], packages: /^(zod|@orpc\/contract)(\/|$)/ },

  // Pictures are asked for in the sizes the contract lists.
  'app/ui': { imports: ['contract/picture-variants'], packages: /^(react|react-dom|@ark-ui\/react)(\/|$)/ },
  'app/platform': { imports: ['contract'] },
  'app/parts': { imports: ['app/platform', 'app/ui', 'contract'] },
  'app/features': { imports: ['app/parts', 'app/platform', 'app/ui', 'contract'] },
  'app/site': { imports: ['app/features', 'app/platform', 'app/ui', 'contract'] },
  'app/modals': { imports: ['app/features', 'app/platform', 'app/ui'] },
  'app/routes': {
    imports: ['app/site', 'app/features', 'app/modals', 'app/parts', 'app/platform', 'app/ui', 'contract'],
  },
  app: { imports: ['app/routes', 'app/site', 'app/features', 'app/modals', 'app/platform', 'app/ui', 'contract'] },

  // Knows no module: the database, the HTTP pipeline, storage, mails as such.
  'api/platform': { imports: ['api/platform', 'contract'] },
  // What a request's procedures share is composed.
  'api/platform/http/procedures': { imports: ['api/platform', 'api/deps', 'contract'] },
  ...Object.fromEntries(
    modules.map((name, place) => [
      `api/modules/${name}`,
      {
        imports: ['contract', 'api/platform', ...modules.slice(0, place).map((earlier) => `api/modules/${earlier}`)],
      },
    ]),
  ),
  // What needs the modules and answers requests: who is asking, the address of a customer's API, uploads, media.
  'api/http': { imports: ['api', 'contract'] },
  api: { imports: ['api/http', 'api/modules', 'api/platform', 'contract'] },

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
const areaOf = (file: string) =>
  Object.keys(areas)
    .filter((area) => file === area || file.startsWith(`${area}/`) || file.startsWith(`${area}.`))
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
    const from = areaOf(file)
    const to = target(file, specifier)
    if (!from) return [`${file} is in no area`]
    const { imports: allowed, packages } = areas[from]!
    if (to === undefined) return packages && !packages.test(specifier) ? [`${file} → package ${specifier}`] : []
    const into = areaOf(to)
    const inside =
      into === from || allowed.some((area) => to === area || to.startsWith(`${area}/`) || to.startsWith(`${area}.`))
    return inside ? [] : [`${file} → ${to}`]
  })
  expect(strays).toEqual([])
})

test('files form no cycle', () => {
  const known = new Set(sources)
  const graph = new Map<string, string[]>()
  for (const file of sources.filter((each) => !each.startsWith('demo/'))) {
    const { module } = parseSync(file, readFileSync(file, 'utf8'))
    const needed = module.staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => target(file, moduleRequest.value))
    graph.set(
      file,
      // Files of the storefront are imported without their ending.
      needed.flatMap((to) => [to, `${to}.ts`, `${to}.tsx`].find((each) => each && known.has(each)) ?? []),
    )
  }
  const cycles: string[] = []
  const done = new Set<string>()
  const follow = (file: string, path: string[]) => {
    if (path.includes(file)) return void cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file)) return
    for (const next of graph.get(file) ?? []) follow(next, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) follow(file, [])
  expect(cycles).toEqual([])
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
