import type { Plugin } from 'vite'

/** Loads when the page is quiet, or is loaded where the browser does not say when that is. */
const whenQuiet = `
  addEventListener('load', () => (window.requestIdleCallback ?? setTimeout)(() => load().catch(() => {})))`

/** `load` imports a module once, and again after a failure. */
const loadsOnce = (path: string) => `
  let loading
  const load = () => {
    loading ??= import(${JSON.stringify(path)}).catch((error) => {
      loading = undefined
      throw error
    })
    return loading
  }`

interface LaterModule {
  /** The module in a package's code. */
  file: RegExp
  /** Returns the code in its place. `path` is the module's own. */
  code: (path: string) => string
}

const laterModules: Record<string, LaterModule> = {
  // What sends calls of server functions, and the serialization of their data. Some 10 kB
  // compressed.
  calls: {
    file: /\/serverFnFetcher\.js$/,
    code: (path) => `
      let send
      const load = async () => {
        const fetcher = await import(${JSON.stringify(path)})
        send = fetcher.serverFnFetcher
      }
      ${whenQuiet}
      // A call of a page that is being left is sent at once.
      export const serverFnFetcher = async (...args) => {
        if (!send) await load()
        return send(...args)
      }
      export const trackPostProcessPromise = () => {}`,
  },
  // What the router runs at navigations. The rest of the module hydrates the first page.
  navigation: {
    file: /\/load-client\.js$/,
    code: (path) => `
      export * from ${JSON.stringify(path)}
      ${loadsOnce(`${path}?navigation`)}
      ${whenQuiet}
      export const loadClientRoute = async (...args) => (await load()).loadClientRoute(...args)
      export const preloadClientRoute = async (...args) => (await load()).preloadClientRoute(...args)
      export const refreshClientRoute = async (...args) => (await load()).refreshClientRoute(...args)`,
  },
}

const prefix = '\0marquee:later:'

/** What runs a call, in the package's module that declares server functions. */
const runsCall = 'await executeMiddleware(resolvedMiddleware, "client"'
const exported = /export \{ createServerFn, ([\w, ]+) \};/

/**
 * The module that declares server functions, without what runs a call. Some 0.7 kB compressed.
 *
 * @throws Error if the package's code has another form.
 */
function declarationsOnly(code: string, path: string): string {
  const others = exported.exec(code)?.[1]
  if (!code.includes(runsCall) || others === undefined) throw new Error(`Adapt scripts/lazy-calls.ts to ${path}`)
  const calls = `${path}?calls`
  return `${code
    .replace(runsCall, 'await (await load()).executeMiddleware(resolvedMiddleware, "client"')
    .replace(exported, 'export { createServerFn };')}
    export { ${others} } from ${JSON.stringify(calls)}
    ${loadsOnce(calls)}
    ${whenQuiet}`
}

/**
 * Loads parts of packages when the page is quiet, or when they are used first: a page needs neither
 * calls nor navigations to become usable.
 */
export const lazyCalls = (): Plugin => {
  const paths = new Map<string, string>()
  return {
    name: 'marquee:lazy-calls',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    resolveId: {
      filter: { id: /\/(?:serverFnFetcher|load-client)\.js$/ },
      async handler(source, importer, options) {
        if (importer?.startsWith(prefix)) return undefined
        const name = Object.keys(laterModules).find((key) => laterModules[key]?.file.test(source))
        const path = (await this.resolve(source, importer, { ...options, skipSelf: true }))?.id
        if (!name || !path) return undefined
        paths.set(name, path)
        return prefix + name
      },
    },
    load: {
      filter: { id: /marquee:later:/ },
      handler(id) {
        const name = id.slice(prefix.length)
        const path = paths.get(name)
        return id.startsWith(prefix) && path ? laterModules[name]?.code(path) : undefined
      },
    },
    transform: {
      filter: { id: /\/createServerFn\.js$/ },
      handler: (code, id) => declarationsOnly(code, id),
    },
  }
}
