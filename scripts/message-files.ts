import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Plugin, Rolldown } from 'vite'
import { laterRoutesOf, routeOf, treeOf } from './later-routes.ts'

type Bundle = Rolldown.OutputBundle
type Catalogue = Record<string, unknown>
type Catalogues = Record<string, Catalogue>

/** The paths of the messages of a route's page, by language and route. */
type MessageFiles = Record<string, Record<string, string>>

const routeTreeFile = new URL('../app/routeTree.gen.ts', import.meta.url)
const routeFile = /\/app\/routes\/(.+)\.tsx\?.*tsr-split=/

/** The chunks that a page loads before it can be used. */
function chunksOf(starts: readonly Rolldown.OutputChunk[], bundle: Bundle): Set<Rolldown.OutputChunk> {
  const chunks = new Set(starts)
  for (const { imports } of chunks)
    for (const file of imports) {
      const chunk = bundle[file]
      if (chunk?.type === 'chunk') chunks.add(chunk)
    }
  return chunks
}

/** The entry, and the chunks of each route and of its layouts. */
function chunksOfPages(bundle: Bundle): Map<string, Set<Rolldown.OutputChunk>> {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const entries = chunks.filter(({ isEntry }) => isEntry)
  const ofRoute = new Map<string, Rolldown.OutputChunk[]>()
  const treesOf = new Map<string, Rolldown.OutputChunk[]>()
  const routeTree = readFileSync(routeTreeFile, 'utf8')
  for (const chunk of chunks)
    for (const id of chunk.moduleIds) {
      const path = routeFile.exec(id)?.[1]
      if (!path) continue
      const route = routeOf(path, routeTree)
      ofRoute.set(route, [...(ofRoute.get(route) ?? []), chunk])
      const routes = laterRoutesOf(path)
      const isTree = ({ moduleIds }: Rolldown.OutputChunk) => moduleIds.some((id) => routes && treeOf(id) === routes)
      treesOf.set(route, chunks.filter(isTree))
    }
  const pages = new Map([['__root__', chunksOf(entries, bundle)]])
  for (const route of ofRoute.keys()) {
    const withLayouts = [...ofRoute].filter(([above]) => above === route || route.startsWith(`${above}/`))
    pages.set(
      route,
      chunksOf([...entries, ...(treesOf.get(route) ?? []), ...withLayouts.flatMap(([, chunks]) => chunks)], bundle),
    )
  }
  return pages
}

/** The ids of messages are strings of six characters in the code. */
const idsIn = ({ code }: Rolldown.OutputChunk) =>
  Array.from(code.matchAll(/(["'`])([\w+/=-]{6})\1/g), ([, , id = '']) => id)

const sourceOf = (messages: Catalogue) =>
  `export const messages=JSON.parse('${JSON.stringify(messages).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}')`

/** Reads the catalogues of all languages after they are compiled. */
const readCatalogues = (catalogues: Catalogues) => ({
  order: 'post' as const,
  filter: { id: /\/locales\/\w+\/messages\.po/ },
  handler: (code: string, id: string) => {
    const [, locale = ''] = /\/locales\/(\w+)\//.exec(id) ?? []
    const [, compiled] = /JSON\.parse\(("(?:[^"\\]|\\.)*")\)/s.exec(code) ?? []
    if (compiled && locale) catalogues[locale] = JSON.parse(JSON.parse(compiled))
    return undefined
  },
})

/** Writes the messages of a page in each language to a file. Returns the names of the files. */
function writeFiles(
  plugin: Rolldown.PluginContext,
  bundle: Bundle,
  { chunks, catalogues }: { chunks: Iterable<Rolldown.OutputChunk>; catalogues: Catalogues },
): [locale: string, fileName: string][] {
  const ids = [...new Set([...chunks].flatMap(idsIn))].sort()
  return Object.entries(catalogues).map(([locale, catalogue]) => {
    const source = sourceOf(Object.fromEntries(ids.filter((id) => id in catalogue).map((id) => [id, catalogue[id]])))
    const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8)
    const fileName = `assets/words-${locale}-${hash}.js`
    if (!bundle[fileName]) plugin.emitFile({ type: 'asset', fileName, source })
    return [locale, fileName]
  })
}

/**
 * Gives pages the paths of their messages, so that a browser fetches them beside the scripts. The
 * first page of a visit loads only the messages that its scripts contain; the rest of the language
 * follows when the page is quiet (`app/platform/i18n/i18n.ts`).
 */
export const messageFiles = (): Plugin => {
  const name = 'virtual:message-files'
  const catalogues: Catalogues = {}
  const files: MessageFiles = {}
  return {
    name: 'marquee:message-files',
    sharedDuringBuild: true,
    transform: readCatalogues(catalogues),
    // The client is built first.
    generateBundle(_, bundle) {
      if (this.environment.name !== 'client') return
      for (const [route, chunks] of chunksOfPages(bundle))
        for (const [locale, fileName] of writeFiles(this, bundle, { chunks, catalogues }))
          files[locale] = { ...files[locale], [route]: `/${fileName}` }
    },
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined
      const visible: MessageFiles = this.environment.name === 'client' ? {} : files
      return `export const files = ${JSON.stringify(visible)}`
    },
  }
}

/** The modules of the console whose texts are shown before the rest of a language is loaded. */
const firstOfConsole = /\/admin\/(?:main|router)\.tsx$/

/**
 * Names the files of the first messages in the console's document, which is never kept by a
 * browser, while scripts are (`admin/platform/i18n.ts`).
 */
export const consoleMessageFiles = (): Plugin => {
  const catalogues: Catalogues = {}
  let files: [locale: string, fileName: string][] = []
  return {
    name: 'marquee:console-message-files',
    apply: 'build',
    transform: readCatalogues(catalogues),
    generateBundle: {
      // Before the document is written.
      order: 'pre',
      handler(_, bundle) {
        const starts = Object.values(bundle)
          .filter((output) => output.type === 'chunk')
          .filter(({ moduleIds }) => moduleIds.some((id) => firstOfConsole.test(id)))
        files = writeFiles(this, bundle, { chunks: chunksOf(starts, bundle), catalogues })
      },
    },
    transformIndexHtml: () =>
      files.map(([locale, fileName]) => ({
        tag: 'meta',
        attrs: { name: `messages-${locale}`, content: `/admin/${fileName}` },
        injectTo: 'head' as const,
      })),
  }
}
