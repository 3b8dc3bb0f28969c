import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import {
  createRunnableDevEnvironment,
  createServer,
  type DevEnvironment,
  isRunnableDevEnvironment,
  type Plugin,
  type RunnableDevEnvironment,
  type ViteDevServer,
} from 'vite'
import { pathOf } from '#contract/request-url.ts'
import type { Backend, BackendOptions } from './backend.ts'
import { answerByVite, createDevConsole, type DevConsole } from './dev-console.ts'
import { belongsToApi } from './handle-request.ts'
import type { Storefront, StorefrontEntry } from './storefront.ts'

const storefrontEntry = 'virtual:tanstack-start-server-entry'
const inRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** Editors write a file in several steps. Milliseconds. */
const settleTime = 50
/** Requests under way in a backend that was replaced may end. Milliseconds. */
const retireAfter = 5_000

export interface DevServer {
  openStorefront: () => Promise<Storefront>
  openBackend: (options: BackendOptions) => Promise<Backend>
}

const runnable = (environment: DevEnvironment | undefined): RunnableDevEnvironment => {
  if (!environment || !isRunnableDevEnvironment(environment))
    throw new Error('Vite cannot run this environment in this process')
  return environment
}

interface BuildFault extends Partial<Error> {
  id?: string
  frame?: string
  plugin?: string
  loc?: { file?: string; line: number; column: number }
}

/**
 * A page that shows a code error in Vite's overlay. Vite's client reloads it once the code is
 * fixed.
 */
const faultPage = (error: unknown) => {
  const fault: BuildFault = error instanceof Error ? error : new Error(String(error))
  const plain = (text = '') => stripVTControlCharacters(text)
  const { id, plugin, loc } = fault
  const shown = { message: plain(fault.message), stack: plain(fault.stack), frame: plain(fault.frame), id, plugin, loc }
  const data = JSON.stringify(shown).replaceAll('<', '\\u003c')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Error</title>
<script type="module">
import { ErrorOverlay } from '/@vite/client'
document.body.append(new ErrorOverlay(${data}))
</script>
</head>
<body></body>
</html>
`
}

const pageHeaders = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
const wantsPage = (accept: string | null | undefined) => accept?.includes('text/html') ?? false

/**
 * Creates Vite with an environment for the API. `onApiChange` is called with each of its changes.
 */
const createVite = ({ host, port }: { host: string; port: number }, onApiChange: () => void) => {
  const watchApi: Plugin = {
    name: 'marquee:api-changes',
    hotUpdate({ modules }) {
      if (this.environment.name !== 'api') return undefined
      if (modules.length > 0) onApiChange()
      return []
    },
  }
  return createServer({
    configFile: inRoot('app.config.ts'),
    appType: 'custom',
    server: { middlewareMode: true, host, ws: { port: port + 1 } },
    plugins: [watchApi],
    environments: {
      api: {
        consumer: 'server',
        dev: {
          createEnvironment: (name, config) =>
            createRunnableDevEnvironment(name, config, { runnerOptions: { hmr: false } }),
        },
      },
    },
  })
}

interface Faults {
  /** Returns the page of an error. It reloads with the next change, whichever file that is in. */
  pageOf: (error: unknown) => string
  /**
   * Returns why the storefront answered with a status only: a file cannot be parsed, or failed
   * while loading.
   */
  ofStorefront: () => Promise<unknown>
}

const watchFaults = (vite: ViteDevServer, ssr: RunnableDevEnvironment): Faults => {
  /** The last error in a file of the storefront. The framework answers it with a status only. */
  let last: unknown = null
  const fetchModule = ssr.fetchModule.bind(ssr)
  ssr.fetchModule = async (...which) => {
    try {
      return await fetchModule(...which)
    } catch (error) {
      last = error
      throw error
    }
  }
  const reloadPages = () => {
    last = null
    vite.environments.client.hot.send({ type: 'full-reload' })
  }
  let isShown = false
  vite.watcher.on('all', () => {
    if (!isShown) return
    isShown = false
    setTimeout(reloadPages, settleTime)
  })
  return {
    pageOf: (error) => {
      isShown = true
      return faultPage(error)
    },
    ofStorefront: async () => {
      try {
        for (const path of ['app/server.ts', 'app/start.ts', 'app/router.tsx']) await ssr.runner.import(inRoot(path))
        return last
      } catch (error) {
        return error
      }
    },
  }
}

const createStorefront = (
  vite: ViteDevServer,
  ssr: RunnableDevEnvironment,
  faults: Faults,
  devConsole: DevConsole,
): Storefront => ({
  // In development no document is shared.
  sharedDocumentKey: () => undefined,
  fetch: async (request, options) => {
    const answer = async () => {
      const { default: storefront } = await ssr.runner.import<{ default: StorefrontEntry }>(storefrontEntry)
      return storefront.fetch(request, options)
    }
    if (!wantsPage(request.headers.get('accept'))) return answer()
    const response = await answer().catch((error: unknown) => error)
    if (response instanceof Response && response.status < 500) return response
    const error = response instanceof Response ? await faults.ofStorefront() : response
    if (error) return new Response(faults.pageOf(error), { status: 500, headers: pageHeaders })
    return response instanceof Response ? response : Promise.reject(response)
  },
  // The source is loaded with each request, and its messages are printed for people.
  routeOf: () => undefined,
  logTo: () => {},
  files: async (request, response) => {
    if (belongsToApi(pathOf(request.url))) return false
    return (await devConsole.handle(request, response)) || answerByVite(vite, request, response)
  },
  [Symbol.asyncDispose]: async () => void (await Promise.all([vite.close(), devConsole[Symbol.asyncDispose]()])),
})

/** A backend that is replaced while requests to the one before may still be under way. */
const createReplaceable = async (load: () => Promise<Backend>) => {
  const first = await load()
  let latest = first
  let current: Promise<Backend> = Promise.resolve(first)
  let timer: NodeJS.Timeout | undefined
  const replace = () => {
    current = current.catch(() => null).then(load)
    current.then(
      (next) => {
        const retired = latest
        latest = next
        setTimeout(() => void Promise.resolve(retired[Symbol.asyncDispose]()).catch(() => {}), retireAfter).unref()
      },
      (error: unknown) => console.error(error),
    )
  }
  return {
    first,
    current: () => current,
    replaceSoon: () => {
      clearTimeout(timer)
      timer = setTimeout(replace, settleTime)
    },
    [Symbol.asyncDispose]: async () => {
      clearTimeout(timer)
      await current.catch(() => null)
      await latest[Symbol.asyncDispose]()
    },
  }
}

/**
 * Serves the sources in development. Vite transforms each file on request and sends changes to open
 * pages, over the port after the store's own. The API runs in its own environment, and a change
 * replaces it while the database and Vite go on.
 */
export const openDevServer = async (address: { host: string; port: number }): Promise<DevServer> => {
  let onApiChange = () => {}
  const vite = await createVite(address, () => onApiChange())
  const ssr = runnable(vite.environments.ssr)
  const api = runnable(vite.environments.api)
  const faults = watchFaults(vite, ssr)

  const openBackend = async (options: BackendOptions): Promise<Backend> => {
    const backend = await createReplaceable(async () => {
      api.runner.clearCache()
      const loaded = await api.runner.import<typeof import('./backend.ts')>(inRoot('server/backend.ts'))
      return loaded.openBackend(options)
    })
    onApiChange = backend.replaceSoon
    const answerFault = async (request: IncomingMessage, response: ServerResponse, error: unknown) => {
      // The overlay needs Vite's client.
      const { files } = options.storefront
      if (await files(request, response).catch(() => false)) return
      const isPage = wantsPage(request.headers.accept)
      response.writeHead(500, isPage ? pageHeaders : { 'content-type': 'text/plain; charset=utf-8' })
      response.end(isPage ? faults.pageOf(error) : `The API cannot be loaded: ${error}\n`)
    }
    const handler: RequestListener = async (request, response) => {
      try {
        const { handler } = await backend.current()
        handler(request, response)
      } catch (error) {
        await answerFault(request, response, error)
      }
    }
    return {
      api: backend.first.api,
      deps: backend.first.deps,
      handler,
      [Symbol.asyncDispose]: async () => {
        onApiChange = () => {}
        await backend[Symbol.asyncDispose]()
      },
    }
  }
  const openStorefront = async () => createStorefront(vite, ssr, faults, createDevConsole(address))
  return { openStorefront, openBackend }
}
