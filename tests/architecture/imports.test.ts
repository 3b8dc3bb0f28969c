import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize, relative } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'
import { contract } from '#contract/procedures/contract.ts'

/** The modules of the API in their order: each may import those before it. */
const modules = [
  'tenancy',
  'mail',
  'catalog',
  'content',
  'identity',
  'staff',
  'plans',
  'entitlements',
  'engagement',
  'storefront',
  'orders',
  'billing',
  'subscriptions',
  'support',
  'media',
  'playback',
  'analytics',
  'privacy',
  'webhooks',
  'admin',
  'import-export',
]

/**
 * The allowed imports. A key is a path prefix, the longest one wins. It may import itself and the
 * listed parts of the project. Packages are free, except where `packages` says otherwise.
 */
const areas: Record<string, { imports: string[]; packages?: RegExp }> = {
  contract: { imports: [], packages: /^(zod|@orpc\/contract)(\/|$)/ },

  // Pictures have the sizes of the contract, texts the direction of their language.
  'app/ui': {
    imports: ['contract/direction', 'contract/picture-variants'],
    packages: /^(react|react-dom|@ark-ui\/react)(\/|$)/,
  },
  'app/platform': { imports: ['contract'] },
  'app/parts': { imports: ['app/platform', 'app/ui', 'contract'] },
  'app/features': { imports: ['app/parts', 'app/platform', 'app/ui', 'contract'] },
  'app/site': { imports: ['app/features', 'app/platform', 'app/ui', 'contract'] },
  'app/modals': { imports: ['app/features', 'app/platform', 'app/ui'] },
  'app/routes': {
    imports: ['app/site', 'app/features', 'app/modals', 'app/parts', 'app/platform', 'app/ui', 'contract'],
  },
  app: { imports: ['app/routes', 'app/site', 'app/features', 'app/modals', 'app/platform', 'app/ui', 'contract'] },

  // The operators' console is a client of its own: it shares the components, and no data, with the
  // storefront.
  'admin/platform': { imports: ['app/ui', 'contract'] },
  'admin/ui': { imports: ['admin/platform', 'app/ui', 'contract'] },
  'admin/features': { imports: ['admin/platform', 'admin/ui', 'app/ui', 'contract'] },
  'admin/shell': { imports: ['admin/features', 'admin/platform', 'admin/ui', 'app/ui', 'contract'] },
  admin: { imports: ['admin/shell', 'admin/features', 'admin/platform', 'admin/ui', 'app/ui', 'contract'] },

  // Imports no module: the database, the HTTP pipeline, storage, the sending of mails.
  'api/platform': { imports: ['api/platform', 'contract'] },
  ...Object.fromEntries(
    modules.map((name, place) => [
      `api/modules/${name}`,
      {
        imports: ['contract', 'api/platform', ...modules.slice(0, place).map((earlier) => `api/modules/${earlier}`)],
      },
    ]),
  ),
  // Handlers of requests that need modules: authentication, the API's address, uploads, media.
  'api/http': { imports: ['api/modules', 'api/platform', 'contract'] },
  api: { imports: ['api/http', 'api/modules', 'api/platform', 'contract'] },

  // The composition: it alone imports the whole API. It loads the built storefront as one function
  // and does not import it.
  server: { imports: ['api', 'contract'] },
  // The operators' commands: the imports of the server, and its functions that open the data.
  cli: { imports: ['server', 'api', 'contract'] },
  'server/demo': { imports: ['server', 'demo', 'api', 'contract'] },
  demo: { imports: ['api', 'contract'] },
}

const sources = globSync('{app,admin,contract,api,server,cli,demo}/**/*.{ts,tsx,js}').filter(
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

/** What a file imports and re-exports, as it is written. */
function specifiersIn(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const { module } = parseSync(file, text)
  const named = [
    ...module.staticImports.map((i) => i.moduleRequest.value),
    ...module.staticExports.flatMap((e) => e.entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
  ]
  const lazy = module.dynamicImports.map((i) => text.slice(i.moduleRequest.start + 1, i.moduleRequest.end - 1))
  return [...new Set([...named, ...lazy])]
}

const imports = sources.flatMap((file) => specifiersIn(file).map((specifier) => ({ file, specifier })))

test('every import of the project follows the table of layers', () => {
  const strays = imports.flatMap(({ file, specifier }) => {
    const from = areaOf(file)
    const to = target(file, specifier)
    if (!from) return [`${file} is in no area`]
    const { imports: allowed, packages } = areas[from]!
    if (to === undefined) {
      const isFree = !packages || packages.test(specifier) || (file.endsWith('.test.ts') && specifier === 'vitest')
      return isFree ? [] : [`${file} → package ${specifier}`]
    }
    const into = areaOf(to)
    const inside =
      into === from || allowed.some((area) => to === area || to.startsWith(`${area}/`) || to.startsWith(`${area}.`))
    return inside ? [] : [`${file} → ${to}`]
  })
  expect(strays).toEqual([])
})

/** The rows of a table of the guide, below its heading: the cells of each. */
const guideRows = (heading: string) => {
  const guide = readFileSync('docs/architecture.md', 'utf8')
  const [, , ...rows] = guide.slice(guide.indexOf(heading)).split('\n\n')[0]?.split('\n') ?? []
  return rows.map((row) => row.split('|').slice(1, -1))
}
const namesIn = (cell = '') => [...cell.matchAll(/`([a-z/-]+)`/g)].map(([, name = '']) => name)

test('modules are listed in the guide in their order', () => {
  expect(guideRows('| module | decides |').flatMap(([name]) => namesIn(name))).toEqual(modules)
})

test('an area has the name of its module in the contract, the features and the commands', () => {
  // The installation has a file of its own, which the console of a store does not load.
  const shared = ['contract', 'procedure', 'main', 'program', 'platform', 'installation']
  const entriesIn = (folder: string) => readdirSync(folder).map((file) => basename(file, '.ts'))
  const areas = [
    ...Object.keys(contract),
    // Procedures of operators are beside those of clients.
    ...entriesIn('contract/procedures').map((file) => file.replace(/^admin-/, '')),
    ...entriesIn('app/features'),
    ...entriesIn('admin/features'),
    ...entriesIn('cli'),
  ]
  expect(areas.filter((area) => ![...modules, ...shared].includes(area))).toEqual([])
})

test('imports that the guide allows each folder are those that are checked', () => {
  const described = guideRows('| folder | holds | may import |').map(([folder, , imports]) => [
    namesIn(folder)[0] ?? '',
    namesIn(imports).sort(),
  ])
  const allowed = Object.entries(areas).flatMap(([area, { imports }]) => {
    const isModule = area.startsWith('api/modules/')
    if (isModule && area !== `api/modules/${modules[0]}`) return []
    return [[isModule ? 'api/modules' : area, imports.filter((name) => name !== area).sort()]]
  })
  expect(Object.fromEntries(described)).toEqual({ ...Object.fromEntries(allowed), tests: [] })
})

test('the commands call use cases and never a query', () => {
  const strays = imports.flatMap(({ file, specifier }) => {
    const to = target(file, specifier)
    return file.startsWith('cli/') && to?.endsWith('.queries.ts') ? [`${file} → ${to}`] : []
  })
  expect(strays).toEqual([])
})

/** All files that may import each other: the sources and the tests. */
const files = [...sources, ...globSync('tests/**/*.{ts,tsx}')]
const fileNames = new Set(files)

/** The files that each file imports, for types alone or lazily too. */
const importGraph = new Map(
  files.map((file) => [
    file,
    specifiersIn(file).flatMap((specifier) => {
      const to = target(file, specifier)
      // Files of the storefront are imported without their ending.
      return [to, `${to}.ts`, `${to}.tsx`].find((each) => each && fileNames.has(each)) ?? []
    }),
  ]),
)

const cyclesOf = (graph: ReadonlyMap<string, Iterable<string>>) => {
  const cycles: string[] = []
  const done = new Set<string>()
  const follow = (node: string, path: string[]) => {
    if (path.includes(node)) return void cycles.push([...path.slice(path.indexOf(node)), node].join(' → '))
    if (done.has(node)) return
    for (const next of graph.get(node) ?? []) follow(next, [...path, node])
    done.add(node)
  }
  for (const node of graph.keys()) follow(node, [])
  return cycles
}

const partsOf = (file: string) => file.split('/')

/**
 * Where an import leaves the deepest folder that holds both files: the part of that folder which
 * each is in, a subfolder or the files directly in it.
 */
const crossing = (from: string, to: string): [string, string] => {
  const [here, there] = [partsOf(from), partsOf(to)]
  const depth = here.findIndex((part, at) => part !== there[at])
  const within = (parts: string[]) =>
    parts.length - 1 > depth ? parts.slice(0, depth + 1).join('/') : `${parts.slice(0, depth).join('/')}/*`
  return [within(here), within(there)]
}

test('files form no import cycle', () => {
  expect(importGraph.size).toBeGreaterThan(1_000)
  expect(cyclesOf(importGraph)).toEqual([])
})

test('folders form no import cycle, nor does a folder with its own files', () => {
  const parts = new Map<string, Set<string>>()
  for (const [file, imported] of importGraph)
    for (const to of imported) {
      const [here, there] = crossing(file, to)
      if (here !== there) parts.set(here, (parts.get(here) ?? new Set()).add(there))
    }
  expect(parts.size).toBeGreaterThan(100)
  expect(cyclesOf(parts)).toEqual([])
})

const featureOf = (path: string) => /^app\/features\/([^/]+)/.exec(path)?.[1]

test('a feature imports of another only its server functions, queries and search words', () => {
  const open = /\.(functions|queries|search)$/
  const strays = imports.flatMap(({ file, specifier }) => {
    const to = target(file, specifier)
    const [here, there] = [featureOf(file), to && featureOf(to)]
    if (!to || !here || !there || here === there || open.test(to) || /\/use-[a-z-]+$/.test(to)) return []
    return [`${file} → ${to}`]
  })
  expect(strays).toEqual([])
})

test('the storefront imports no modules that only Node has', () => {
  const strays = imports.filter(
    ({ file, specifier }) =>
      file.startsWith('app/') && (specifier.startsWith('node:') || /^(pg|drizzle-orm|pino|srvx)(\/|$)/.test(specifier)),
  )
  expect(strays).toEqual([])
})

test('barrels, utility folders and default exports are absent, except where a tool requires a default export', () => {
  const utilityFolders = sources.filter((file) => /(^|\/)(utils|helpers|common|lib)(\/|\.)/.test(file))
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
  expect({ utilityFolders, barrels, defaults: defaults.map((file) => relative('.', file)) }).toEqual({
    utilityFolders: [],
    barrels: [],
    defaults: [],
  })
})

test('the variables of the process are read where a program starts, and in few other files', () => {
  const readers = sources.filter(
    (file) => !/\.test\.ts$/.test(file) && readFileSync(file, 'utf8').includes('process.env'),
  )
  expect(readers.filter((file) => !file.startsWith('demo/')).toSorted()).toEqual([
    // Searches PATH for ffmpeg.
    'api/modules/media/package/programs.ts',
    // The storefront, which also runs without the API's process, at the edge.
    'app/platform/environment.ts',
    // The programs, which read the configuration from the variables (`api/config.ts`).
    'server/build.ts',
    'server/demo.ts',
    'server/environment.ts',
    'server/launch.js',
    'server/processes.ts',
  ])
})

test('search parameters are read through the schema of a route alone', () => {
  const reads = sources
    .filter((file) => file.startsWith('app/'))
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8')
      const names: string[] = []
      const parsed = new Set<object>()
      const { module, program } = parseSync(file, text)
      for (const { moduleRequest, entries } of module.staticImports)
        for (const { importName } of entries)
          if (
            moduleRequest.value.startsWith('@tanstack/') &&
            /^(?:default|js)?[pP]arseSearch/.test(importName.name ?? '')
          )
            names.push(`${file} imports ${importName.name}`)
      new Visitor({
        // `schema.parse(location.search)` is how a loader, which is not given the parameters, reads
        // them.
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
            names.push(`${file} reads ${text.slice(node.start, node.end)}`)
        },
        Property: ({ key, value }) => {
          const loose =
            key.type === 'Identifier' && key.name === 'strict' && value.type === 'Literal' && value.value === false
          if (loose) names.push(`${file} says strict: false`)
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
              names.push(`${file} takes search from ${from}`)
        },
      }).visit(program)
      return names
    })
  expect(reads).toEqual(['app/router.tsx takes search from location'])
})

test('fields of the console with a limit are those that cut no pasted text', () => {
  const cutting = globSync('admin/**/*.tsx').filter((file) => {
    const text = readFileSync(file, 'utf8')
    const isPlain = /import \{[^}]*\bText(?:Field|Area)\b[^}]*\} from '~\/ui\/text-field'/.test(text)
    return isPlain && /\bmaxLength[=,]/.test(text)
  })
  // A search is sent while it is typed, and has no form that refuses it.
  expect(cutting.sort()).toEqual(['admin/ui/filters.tsx', 'admin/ui/text-field.tsx'])
})
