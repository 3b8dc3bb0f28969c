import { fileURLToPath } from 'node:url'
import { createServer, isRunnableDevEnvironment } from 'vite'
import { belongsToApi } from './handle-request.ts'
import type { Storefront, StorefrontEntry } from './storefront.ts'

const entry = 'virtual:tanstack-start-server-entry'

/**
 * The storefront straight from its sources: Vite turns each file into what a browser reads when it is asked for, and tells open
 * pages what has changed. Those messages go over the port after the store's own.
 */
export const openDevStorefront = async ({ host, port }: { host: string; port: number }): Promise<Storefront> => {
  const vite = await createServer({
    configFile: fileURLToPath(new URL('../app.config.ts', import.meta.url)),
    appType: 'custom',
    server: { middlewareMode: true, host, ws: { port: port + 1 } },
  })
  const { ssr } = vite.environments
  if (!isRunnableDevEnvironment(ssr))
    throw new Error('Vite has no environment that runs the storefront in this process')

  return {
    fetch: async (request, options) => {
      const { default: storefront } = await ssr.runner.import<{ default: StorefrontEntry }>(entry)
      return storefront.fetch(request, options)
    },
    files: (request, response) => {
      const url = request.url ?? '/'
      if (belongsToApi(url.split('?', 1)[0] ?? '')) return Promise.resolve(false)
      return new Promise((answered, failed) => {
        response.once('close', () => answered(true))
        vite.middlewares(request, response, (error?: unknown) => {
          // Vite shortens addresses on the way.
          request.url = url
          if (error) failed(error)
          else answered(false)
        })
      })
    },
    [Symbol.asyncDispose]: () => vite.close(),
  }
}
