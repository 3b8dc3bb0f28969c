import { type AnyRouteMatch, type AnyRouter, RouterProvider } from '@tanstack/react-router'
import { defineHandlerCallback, getSsrStatus, transformHtmlStringWithRouter } from '@tanstack/react-router/ssr/server'
import { renderToReadableStream, renderToString } from 'react-dom/server'
import { methodNotAllowed } from '~/platform/api/problem'
import { fillParts } from '~/platform/document/html-parts'
import type { PageRequest } from '~/platform/request/request-context'
import { problemOf } from './platform/api/problem'

/** React's marker of a boundary that failed or suspended. */
const unfinishedBoundary = '<!--$!-->'

/**
 * Renders a page as one string, which costs half of streaming, and encodes it once: a response that
 * knows its length is compressed and sent without streams. A page with an unfinished boundary
 * is rendered again as a stream, which waits for it. If the boundary or a load failed, the page is
 * the error screen with status 500, or 503 where the data are unreachable.
 */
export const renderPage = defineHandlerCallback(async ({ request, router, responseHeaders: headers }) => {
  if (!isAnswered(request, router)) return methodNotAllowed('GET, HEAD')()
  const anyRouter: AnyRouter = router
  const { page }: { page: PageRequest } = anyRouter.options.context
  reuseHydrationScripts(router)
  const html = await transformHtmlStringWithRouter(router, await renderHtml(router, page))
  const body = fillParts(withScriptsInPlace(html, page), page)
  headers.set('content-length', String(body.byteLength))
  const status = getSsrStatus(router)
  const failure = page.failure ?? (status >= 500 ? failureOf(router) : undefined)
  if (!failure) return new Response(body, { status, headers })
  headers.set('cache-control', 'no-store')
  return new Response(body, { status: problemOf(failure.error)?.status === 503 ? 503 : 500, headers })
})

/** The error of a route whose guard or loader failed. */
function failureOf(router: AnyRouter): { error: unknown } | undefined {
  const matches: AnyRouteMatch[] = router.state.matches
  return matches.find(({ status }) => status === 'error')
}

async function renderHtml(router: AnyRouter, page: PageRequest): Promise<string> {
  try {
    const html = renderToString(<RouterProvider router={router} />)
    return html.includes(unfinishedBoundary) ? await renderWaiting(router) : html
  } catch (error) {
    page.failure = { error }
    return renderToString(<RouterProvider router={router} />)
  }
}

/**
 * Restores the scroll position of a page that is loaded again, before its first paint. The router's
 * own script for this has twice the bytes. Its entries are an element's selector, or `window`.
 */
const restoreScroll = `(k=>{let p,n,e;try{p=JSON.parse(sessionStorage[k])[history.state.__TSR_key];for(n in p)e=n=='window'?window:document.querySelector(n),e?.scrollTo(p[n].scrollX,p[n].scrollY)}catch{}})('tsr-scroll-restoration-v1_3');document.currentScript.remove()`

/** What loads the page's own scripts. */
const scriptTags = /<link rel="modulepreload"[^>]*>|<script type="module" async=""[^>]*><\/script>/g

/**
 * Runs once the styles are there. On a quick network it inserts the template in front of it after
 * the first paint, or after two seconds in a tab that shows none. On a slow one, which took half a
 * second for the styles, it does so at once, because scripts take longer than what else is painted.
 * Until the scripts are there, it collects the presses.
 */
const startScripts = `(t=>{let i=()=>t.isConnected&&t.replaceWith(t.content);performance.now()>500?i():new PerformanceObserver(l=>l.getEntriesByName('first-contentful-paint')[0]&&i()).observe({type:'paint',buffered:!0});setTimeout(i,2e3);window.earlyPresses=[];addEventListener('click',e=>window.earlyPresses?.push(e),!0)})(document.currentScript.previousSibling);document.currentScript.remove()`

/**
 * Moves what loads the page's scripts, in front of its content and behind it, into a template at
 * the end of the head: they would take bandwidth and time from the styles, the font, the first
 * pictures and the first paint.
 */
function withScriptsLater(before: string, behind: string, { nonce }: PageRequest): [before: string, behind: string] {
  // Scripts of development must run in their order.
  if (import.meta.env.DEV) return [before, behind]
  let tags = ''
  const take = (part: string) =>
    part.replace(scriptTags, (tag) => {
      tags += tag.replace(' fetchPriority="low"', '')
      return ''
    })
  const [start, end] = [take(before), take(behind)]
  const template = `<template>${tags}</template><script nonce="${nonce}">${startScripts}</script>`
  return [start.replace('</head>', () => `${template}</head>`), end]
}

/** The scripts with the state of the page, which have a mark of the framework. */
const stateScripts = /<script[^>]* data-tsr-stream-part[^>]*>.*?<\/script>/gs

/**
 * Moves the state of the page in front of its content, and adds the script that restores the scroll
 * position behind it. The state repeats names, texts and files of the head and the menus, which
 * compression finds only 32 kB back. All scripts remove themselves.
 */
function withScriptsInPlace(html: string, page: PageRequest): string {
  const [start, end] = [html.indexOf('<main'), html.lastIndexOf('</main>')]
  if (start < 0 || end < start) return html
  let state = ''
  const withoutState = html.slice(end).replace(stateScripts, (script) => {
    state += script
    return ''
  })
  const [before, behind] = withScriptsLater(html.slice(0, start), withoutState, page)
  const scroll = `<script nonce="${page.nonce}">${restoreScroll}</script>`
  return before + state + html.slice(start, end) + scroll + behind
}

/** Pages answer GET and HEAD, and other methods only if their route has a handler. */
function isAnswered({ method }: Request, router: AnyRouter): boolean {
  if (method === 'GET' || method === 'HEAD') return true
  const matches: AnyRouteMatch[] = router.state.matches
  const last = matches.at(-1)
  if (!last || matches.some(({ _notFound }) => _notFound)) return true
  const options: { server?: { handlers?: object } } | undefined = router.routesById[last.routeId]?.options
  return method in (options?.server?.handlers ?? {})
}

async function renderWaiting(router: AnyRouter): Promise<string> {
  const failures: unknown[] = []
  const stream = await renderToReadableStream(<RouterProvider router={router} />, {
    // No part is sent after the page, where it would need JavaScript.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    ...(router.options.ssr?.nonce ? { nonce: router.options.ssr.nonce } : {}),
    onError: (error) => void failures.push(error),
  })
  await stream.allReady
  const html = await new Response(stream).text()
  if (failures.length > 0) throw failures[0]
  return html
}

/**
 * The framework returns the hydration scripts once; a page that is rendered twice needs them twice.
 */
function reuseHydrationScripts({ serverSsr }: AnyRouter): void {
  if (!serverSsr) return
  const takeTags = serverSsr.takeInitialHydrationScriptTags.bind(serverSsr)
  let scripts: ReturnType<typeof takeTags> | undefined
  serverSsr.takeInitialHydrationScriptTags = () => {
    scripts ??= takeTags()
    return scripts
  }
}
