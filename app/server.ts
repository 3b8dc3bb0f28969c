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

/** The API believes us who a visitor is, so what the visitor claims of it is not handed on. */
function withAddress(request: Request, clientAddress: string | undefined): Request {
  const headers = new Headers(request.headers)
  headers.delete('x-forwarded-for')
  if (clientAddress) headers.set('x-forwarded-for', clientAddress)
  return new Request(request, { headers })
}

export default createServerEntry({
  async fetch(request, options?: { context?: Partial<RequestContext> }) {
    const api = options?.context?.api ?? remoteApi()
    const clientAddress = options?.context?.clientAddress ?? request.headers.get('cf-connecting-ip') ?? undefined
    if (!options?.context?.api && isHandedThrough(new URL(request.url).pathname))
      return api(withAddress(request, clientAddress))
    return render(request, { context: { api, calls: options?.context?.calls ?? api, clientAddress } })
  },
})
