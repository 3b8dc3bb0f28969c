import { readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'
import type { Plugin } from 'vite'

const routeTreeFile = new URL('../app/routeTree.gen.ts', import.meta.url)
const tree = /\/app\/routeTree\.gen\.ts(?:\?(personal|members|public))?$/

/**
 * The routes that the first script lacks: of a member's cart, orders and profile, which are opened
 * from elsewhere, of other pages for members, and of pages seldom seen first.
 */
export type LaterRoutes = 'personal' | 'members' | 'public'
const laterRoutes: readonly LaterRoutes[] = ['personal', 'members', 'public']

/** The routes of the first script, as paths of their files. */
const first = /^(?:__root|index|faq|videos|products\/(?:index|\$code)|_guest|_guest\/login)$/
const personal = /^_member(?:$|\/(?:carts|mypages\/(?:route|profile|order-histories\/index))$)/
/** Routes of other trees that have some of a tree below them. */
const parents: Record<LaterRoutes, RegExp> = {
  personal: /^__root$/,
  members: /^(?:__root|_member|_member\/mypages\/route)$/,
  public: /^(?:__root|_guest)$/,
}

/** Which routes the route of a file belongs to. Undefined in the first script. */
export function laterRoutesOf(path: string): LaterRoutes | undefined {
  if (first.test(path)) return undefined
  if (personal.test(path)) return 'personal'
  return path.startsWith('_member') ? 'members' : 'public'
}

/** The routes whose tree a module is. Undefined for other modules. */
export const treeOf = (id: string): LaterRoutes | undefined =>
  laterRoutes.find((routes) => tree.exec(id)?.[1] === routes)

/**
 * The router's id of a route's file: `_member/payments/index` is `/_member/payments/`, and
 * `_member/mypages/route` is the layout `/_member/mypages`.
 * @throws {Error} if the route tree has no such id: the page would load without its messages.
 */
export function routeOf(path: string, routeTree = readFileSync(routeTreeFile, 'utf8')): string {
  const id = `/${path
    .replaceAll('.', '/')
    .replace(/(^|\/)index$/, '$1')
    .replace(/\/route$/, '')}`
  if (!routeTree.includes(`  '${id}': typeof `)) throw new Error(`There is no route ${id} for the file ${path}`)
  return id
}

/** Returns the code of a route tree with those routes only whose files have a path that is kept. */
function withRoutes(code: string, hasRoute: (path: string) => boolean): string {
  const removed = new Set<string>()
  const spans: { start: number; end: number }[] = []
  const names = (text: string) => text.match(/\w+/g) ?? []
  for (const statement of parseSync('route-tree.ts', code).program.body) {
    if (statement.type === 'ImportDeclaration') {
      const path = /^\.\/routes\/(.*)$/.exec(statement.source.value)?.[1]
      if (path === undefined || hasRoute(path)) continue
      for (const { local } of statement.specifiers) removed.add(local.name)
      spans.push(statement)
    } else if (statement.type === 'VariableDeclaration') {
      const [declared] = statement.declarations
      if (!declared?.init || declared.id.type !== 'Identifier') continue
      const isRemoved = (at: { start: number; end: number }) =>
        names(code.slice(at.start, at.end)).some((name) => removed.has(name))
      if (!isRemoved(declared.init)) continue
      const remaining =
        declared.init.type === 'ObjectExpression' ? declared.init.properties.filter((each) => !isRemoved(each)) : []
      if (remaining.length === 0) {
        removed.add(declared.id.name)
        spans.push(statement)
      } else if (declared.init.type === 'ObjectExpression') {
        for (const property of declared.init.properties)
          if (!remaining.includes(property)) spans.push({ start: property.start, end: property.end + 1 })
      }
    }
  }
  return spans.toReversed().reduce((text, { start, end }) => text.slice(0, start) + text.slice(end), code)
}

/** Returns the code of a route tree with the routes of the first script. */
export const withFirstRoutes = (code: string): string => withRoutes(code, (path) => first.test(path))

/** Returns the code that adds later routes to the tree of the first script. */
export const withLaterRoutes = (code: string, routes: LaterRoutes): string =>
  withRoutes(code, (path) => parents[routes].test(path) || laterRoutesOf(path) === routes).replace(
    /(\w+)\s*\._addFileChildren\(\s*(\w+),?\s*\)/g,
    '$1._addFileChildren([...new Set([...($1.children ?? []), ...Object.values($2)])])',
  )

/**
 * Leaves routes out of the first script that few visitors open first. The browser loads them (such
 * as `virtual:routes/members`) before the first navigation, and such a page with its first script.
 */
export const laterRouteTrees = (): Plugin => {
  const filesModule = 'virtual:route-files'
  const files: Record<string, { href: string; routes: LaterRoutes }> = {}
  return {
    name: 'marquee:later-routes',
    enforce: 'pre',
    sharedDuringBuild: true,
    resolveId: {
      filter: { id: /^virtual:route(?:s\/|-files$)/ },
      async handler(id) {
        if (id === filesModule) return `\0${filesModule}`
        const resolved = await this.resolve('/app/routeTree.gen.ts')
        return resolved && `${resolved.id}?${id.split('/').at(-1)}`
      },
    },
    load: {
      filter: { id: /virtual:route-files$/ },
      // The client is built first.
      handler(id) {
        const visible = this.environment.name === 'client' ? {} : files
        return id === `\0${filesModule}` ? `export const files = ${JSON.stringify(visible)}` : undefined
      },
    },
    transform: {
      filter: { id: tree },
      handler(code, id) {
        if (this.environment.mode !== 'build' || this.environment.name !== 'client') return undefined
        const routes = treeOf(id)
        return { code: routes ? withLaterRoutes(code, routes) : withFirstRoutes(code), map: null }
      },
    },
    generateBundle(_, bundle) {
      if (this.environment.name !== 'client') return
      const routeTree = readFileSync(routeTreeFile, 'utf8')
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
      for (const [, path = ''] of routeTree.matchAll(/from '\.\/routes\/([^'[]+)'/g)) {
        const routes = laterRoutesOf(path)
        const file = chunks.find(({ moduleIds }) => moduleIds.some((id) => routes && treeOf(id) === routes))
        if (file && routes && !path.startsWith('api/'))
          files[routeOf(path, routeTree)] = { href: `/${file.fileName}`, routes }
      }
    },
  }
}
