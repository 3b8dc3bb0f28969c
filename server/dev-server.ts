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
} from 'vite'
import { pathOf } from '#contract/request-url.ts'
import type { Backend, BackendOptions } from './backend.ts'
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
 * Serves the sources in development. Vite transforms each file on request and sends changes to open
 * pages, over the port after the store's own. The API runs in its own environment, and a change
 * replaces it while the database and Vite go on.
 */
export const openDevServer = async ({ host, port }: { host: string; port: number }): Promise<DevServer> => {
  const changes = { api: () => {} }
  const watchApi: Plugin = {
    name: 'marquee:api-changes',
    hotUpdate({ modules }) {
      if (this.environment.name !== 'api') return undefined
      if (modules.length > 0) changes.api()
      return []
    },
  }
  const vite = await createServer({
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
  const ssr = runnable(vite.environments.ssr)
  const api = runnable(vite.environments.api)

  /** The last error in a file of the storefront. The framework answers it with a status only. */
  let fault: unknown = null
  const fetchModule = ssr.fetchModule.bind(ssr)
  ssr.fetchModule = async (...which) => {
    try {
      return await fetchModule(...which)
    } catch (error) {
      fault = error
      throw error
    }
  }
  /** Pages that show a fault reload with the next change, whichever file it is in. */
  let isBroken = false
  vite.watcher.on('all', () => {
    if (!isBroken) return
    isBroken = false
    setTimeout(reloadPages, settleTime)
  })
  const reloadPages = () => {
    fault = null
    vite.environments.client.hot.send({ type: 'full-reload' })
  }
  const showFault = (error: unknown) => {
    isBroken = true
    return faultPage(error)
  }

  /**
   * Returns why the storefront answered with a status only: a file cannot be parsed, or failed
   * while loading.
   */
  const faultOfStorefront = async () => {
    try {
      for (const path of ['app/server.ts', 'app/start.ts', 'app/router.tsx']) await ssr.runner.import(inRoot(path))
      return fault
    } catch (error) {
      return error
    }
  }

  const openStorefront = async (): Promise<Storefront> => ({
    fetch: async (request, options) => {
      const answer = async () => {
        const { default: storefront } = await ssr.runner.import<{ default: StorefrontEntry }>(storefrontEntry)
        return storefront.fetch(request, options)
      }
      if (!wantsPage(request.headers.get('accept'))) return answer()
      const response = await answer().catch((error: unknown) => error)
      if (response instanceof Response && response.status < 500) return response
      const error = response instanceof Response ? await faultOfStorefront() : response
      if (error) return new Response(showFault(error), { status: 500, headers: pageHeaders })
      return response instanceof Response ? response : Promise.reject(response)
    },
    files: (request, response) => {
      const url = request.url ?? '/'
      if (belongsToApi(pathOf(url))) return Promise.resolve(false)
      return new Promise((answered, failed) => {
        response.once('close', () => answered(true))
        vite.middlewares(request, response, (error?: unknown) => {
          // Vite rewrites the URL.
          request.url = url
          if (error) failed(error)
          else answered(false)
        })
      })
    },
    [Symbol.asyncDispose]: () => vite.close(),
  })

  const openBackend = async (options: BackendOptions): Promise<Backend> => {
    const load = async () => {
      api.runner.clearCache()
      const loaded = await api.runner.import<typeof import('./backend.ts')>(inRoot('server/backend.ts'))
      return loaded.openBackend(options)
    }
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
    changes.api = () => {
      clearTimeout(timer)
      timer = setTimeout(replace, settleTime)
    }
    const answerFault = async (request: IncomingMessage, response: ServerResponse, error: unknown) => {
      // The overlay needs Vite's client.
      const { files } = options.storefront
      if (await files(request, response).catch(() => false)) return
      const isPage = wantsPage(request.headers.accept)
      response.writeHead(500, isPage ? pageHeaders : { 'content-type': 'text/plain; charset=utf-8' })
      response.end(isPage ? showFault(error) : `The API cannot be loaded: ${error}\n`)
    }
    const handler: RequestListener = async (request, response) => {
      try {
        ;(await current).handler(request, response)
      } catch (error) {
        await answerFault(request, response, error)
      }
    }
    return {
      api: first.api,
      deps: first.deps,
      handler,
      [Symbol.asyncDispose]: async () => {
        changes.api = () => {}
        clearTimeout(timer)
        await current.catch(() => null)
        await latest[Symbol.asyncDispose]()
      },
    }
  }
  return { openStorefront, openBackend }
}
