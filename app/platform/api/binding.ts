/**
 * All the storefront knows of the back end: something that answers a `Request` below /api/v1. In one process it is the
 * API itself; apart from it, it is HTTP to `API_URL`.
 */
export type ApiBinding = (request: Request) => Promise<Response>

/** Paths that the API's own process answers, and that a storefront apart from it hands through. */
const proxiedPaths = ['/api/v1/', '/m/', '/p/', '/media/', '/sandbox/', '/pay/portone/']

/** The API over HTTP. `base` is its origin, for example `http://127.0.0.1:3001`. */
export function apiOverHttp(base: string): ApiBinding {
  const origin = new URL(base).origin
  return (request) => {
    const url = new URL(request.url)
    const target = new Request(`${origin}${url.pathname}${url.search}`, request)
    target.headers.set('x-forwarded-host', url.host)
    target.headers.set('x-forwarded-proto', url.protocol.slice(0, -1))
    return fetch(target, { redirect: 'manual' })
  }
}

/** Whether a browser's request is the API's to answer, not the storefront's. */
export const isProxied = (pathname: string) => proxiedPaths.some((prefix) => pathname.startsWith(prefix))
