import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createServer, type ViteDevServer } from 'vite'
import { consolePath, isApiPath } from '#contract/http.ts'
import { pathOf } from '#contract/request-url.ts'
import { consoleHeaders, isConsolePage } from './console.ts'
import type { DirectHandler } from './storefront.ts'

const inRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** Lets Vite answer a request. Returns false if it has no file for it. */
export const answerByVite = (vite: ViteDevServer, request: IncomingMessage, response: ServerResponse) => {
  const { url } = request
  return new Promise<boolean>((answered, failed) => {
    response.once('close', () => answered(true))
    vite.middlewares(request, response, (error?: unknown) => {
      // Vite rewrites the URL.
      request.url = url
      if (error) failed(error)
      else answered(false)
    })
  })
}

export interface DevConsole extends AsyncDisposable {
  handle: DirectHandler
}

/**
 * Serves the console's sources in development, from a Vite of its own that starts with the first
 * request for it.
 */
export const createDevConsole = ({ host, port }: { host: string; port: number }): DevConsole => {
  const nonce = randomBytes(16).toString('base64url')
  let starting: Promise<ViteDevServer> | undefined
  const start = () =>
    createServer({
      configFile: inRoot('admin.config.ts'),
      appType: 'custom',
      html: { cspNonce: nonce },
      // The storefront's own Vite has the port before it.
      server: { middlewareMode: true, host, ws: { port: port + 2 } },
    })
  return {
    handle: async (request, response) => {
      const { url = '/' } = request
      const path = pathOf(url)
      const isPage = isConsolePage(request)
      if (!isPage && (!path.startsWith(`${consolePath}/`) || isApiPath(path))) return false
      starting ??= start()
      const vite = await starting
      const isSource = /\/[^/]+\.\w+$|^\/admin\/(?:@|node_modules\/)/.test(path)
      if (isPage && !isSource) {
        const page = await vite.transformIndexHtml(url, await readFile(inRoot('admin/index.html'), 'utf8'))
        response.writeHead(200, consoleHeaders(nonce)).end(page)
        return true
      }
      return answerByVite(vite, request, response)
    },
    [Symbol.asyncDispose]: async () => (await starting)?.close(),
  }
}
