import { type AnyRouteMatch, type AnyRouter, RouterProvider } from '@tanstack/react-router'
import { defineHandlerCallback, renderSsrHtmlResponse } from '@tanstack/react-router/ssr/server'
import { renderToReadableStream, renderToString } from 'react-dom/server'
import { methodNotAllowed } from '~/platform/api/problem'
import type { PageRequest } from '~/platform/request/request-context'
import { problemOf } from './platform/api/problem'

/** How React marks a part it gave up on, because something in it failed or was not there yet. */
const unfinished = '<!--$!-->'

/**
 * Draws a page as one string, which costs half of what streaming does. A part that was left unfinished is drawn again
 * with patience: either it was only waiting, and the page is whole then, or it failed, and the page becomes the error
 * screen with the status 500, or 503 where its data cannot be reached for now.
 */
export const renderPage = defineHandlerCallback(async ({ request, router, responseHeaders }) => {
  if (!isAnswered(request, router)) return methodNotAllowed('GET, HEAD')()
  const page = (router.options.context as { page: PageRequest }).page
  keepHydrationScripts(router)
  const response = await renderSsrHtmlResponse({
    router,
    responseHeaders,
    render: async () => {
      try {
        const html = renderToString(<RouterProvider router={router as AnyRouter} />)
        return html.includes(unfinished) ? await renderPatiently(router) : html
      } catch (error) {
        page.failure = { error }
        return renderToString(<RouterProvider router={router as AnyRouter} />)
      }
    },
  })
  if (!page.failure) return response
  response.headers.set('cache-control', 'no-store')
  const status = problemOf(page.failure.error)?.status === 503 ? 503 : 500
  return new Response(response.body, { status, headers: response.headers })
})

/** A page is read. It takes a form only where its route says so. */
function isAnswered({ method }: Request, router: AnyRouter): boolean {
  if (method === 'GET' || method === 'HEAD') return true
  const matches: AnyRouteMatch[] = router.state.matches
  const last = matches.at(-1)
  if (!last || matches.some(({ _notFound }) => _notFound)) return true
  const options: { server?: { handlers?: object } } | undefined = router.routesById[last.routeId]?.options
  return method in (options?.server?.handlers ?? {})
}

async function renderPatiently(router: AnyRouter): Promise<string> {
  const failures: unknown[] = []
  const stream = await renderToReadableStream(<RouterProvider router={router} />, {
    ...(router.options.ssr?.nonce ? { nonce: router.options.ssr.nonce } : {}),
    onError: (error) => void failures.push(error),
  })
  await stream.allReady
  const html = await new Response(stream).text()
  if (failures.length > 0) throw failures[0]
  return html
}

/** The scripts a page wakes up with are handed out once; a page that is drawn twice needs them twice. */
function keepHydrationScripts({ serverSsr }: AnyRouter): void {
  if (!serverSsr) return
  const take = serverSsr.takeInitialHydrationScriptTags.bind(serverSsr)
  let scripts: ReturnType<typeof take> | undefined
  serverSsr.takeInitialHydrationScriptTags = () => {
    scripts ??= take()
    return scripts
  }
}
