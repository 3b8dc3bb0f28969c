import type { Plugin } from 'vite'

const later = '\0marquee:call-fetcher'

/**
 * Loads what sends calls of server functions, and the serialization of their data, when the page is
 * quiet or with the first call: a page needs no call to become usable. Some 10 kB compressed.
 */
export const lazyCalls = (): Plugin => {
  let fetcher: string | undefined
  return {
    name: 'marquee:lazy-calls',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    resolveId: {
      filter: { id: /\/serverFnFetcher\.js$/ },
      async handler(source, importer, options) {
        if (importer === later) return undefined
        fetcher = (await this.resolve(source, importer, { ...options, skipSelf: true }))?.id
        return later
      },
    },
    load: {
      filter: { id: /call-fetcher$/ },
      handler: (id) =>
        id === later
          ? `let send
             const load = async () => {
               const fetcher = await import(${JSON.stringify(fetcher)})
               send = fetcher.serverFnFetcher
             }
             const whenQuiet = window.requestIdleCallback ?? ((run) => setTimeout(run, 200))
             window.addEventListener('load', () => whenQuiet(() => load().catch(() => {})))
             // A call of a page that is being left is sent at once.
             export const serverFnFetcher = async (...args) => {
               if (!send) await load()
               return send(...args)
             }
             export const trackPostProcessPromise = () => {}`
          : undefined,
    },
  }
}
