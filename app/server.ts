import { createStartHandler } from '@tanstack/react-start/server'
import { createServerEntry } from '@tanstack/react-start/server-entry'
import { type ApiBinding, apiOverHttp, isHandedThrough } from './platform/api/binding'
import type { RequestContext } from './platform/request/visit-middleware'
import { renderPage } from './render-page'

const render = createStartHandler(renderPage)

let remote: ApiBinding | undefined

/** The API where none is given in process: over HTTP, at the origin `API_URL` names. */
function remoteApi(): ApiBinding {
  if (!process.env.API_URL) {
    throw new Error('The storefront has no API: give one in the request context, or set API_URL=http://127.0.0.1:3001')
  }
  remote ??= apiOverHttp(process.env.API_URL)
  return remote
}

export default createServerEntry({
  async fetch(request, options?: { context?: Partial<RequestContext> }) {
    const api = options?.context?.api ?? remoteApi()
    if (!options?.context?.api && isHandedThrough(new URL(request.url).pathname)) return api(request)
    const clientAddress = options?.context?.clientAddress ?? request.headers.get('cf-connecting-ip') ?? undefined
    return render(request, { context: { api, clientAddress } })
  },
})
