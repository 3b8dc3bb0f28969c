import { type AnyRouteMatch, type AnyRouter, RouterProvider } from '@tanstack/react-router'
import { defineHandlerCallback, getSsrStatus, transformHtmlStringWithRouter } from '@tanstack/react-router/ssr/server'
import { renderToReadableStream, renderToString } from 'react-dom/server'
import { methodNotAllowed } from '~/platform/api/problem'
import { fillParts } from '~/platform/document/html-parts'
import { watchScrolling } from '~/platform/navigation/page-feedback'
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
const restoreScroll = `(k=>{let p,n,e;try{p=JSON.parse(sessionStorage[k])[history.state.__TSR_key];for(n in p)e=n=='window'?window:document.querySelector(n),e?.scrollTo(p[n].scrollX,p[n].scrollY)}catch{}})('tsr-scroll-restoration-v1_3')`

/** Where the styles begin, or the end of a head without any. */
const styles = /<link rel="stylesheet"|<\/head>/

const bodyEnd = /<\/body>/

/** What loads the page's own scripts. */
const scriptTags = /<link rel="modulepreload"[^>]*>|<script type="module" async=""[^>]*><\/script>/g

/** The scripts with the state of the page, which have a mark of the framework. */
const stateScripts = /<script[^>]* data-tsr-stream-part[^>]*>.*?<\/script>/gs

/**
 * Inserts the template with the scripts after the first paint, or after two seconds in a tab that
 * shows none. On a slow network, which took half a second for the styles, it does so in the first
 * frame with them, because scripts take longer than what else is painted. The template is complete
 * once there is a body. Until the scripts are there, it collects the presses.
 */
const startScripts = `{let n=()=>{if(!document.body)return setTimeout(n,99);let t=document.querySelector('head>template');t?.replaceWith(t.content)},s=()=>setTimeout(n);document.addEventListener('load',({target:t})=>t.rel=='stylesheet'&&performance.now()>500&&requestAnimationFrame(s),!0);new PerformanceObserver(l=>l.getEntriesByName('first-contentful-paint')[0]&&n()).observe({type:'paint',buffered:!0});setTimeout(n,2e3);window.earlyPresses=[];addEventListener('click',e=>window.earlyPresses?.push(e),!0)}`

/**
 * Puts a page in the order in which the browser needs it. A script behind the style sheet waits for
 * it, and the rest of the page for the script; so what runs at once is in front of the style sheet,
 * and the whole page is there for the first paint. What starts the application, its state and its
 * scripts, is in a template at the end of the head, where it does nothing: it would take bandwidth
 * and time from the styles, the font, the first pictures and the first paint. In development,
 * scripts run in their order.
 */
function withScriptsInPlace(html: string, { nonce }: PageRequest): string {
  const script = (code: string) => `<script nonce="${nonce}">${code};document.currentScript.remove()</script>`
  const inFront = (code: string, tag: RegExp, page: string) => page.replace(tag, (found) => script(code) + found)
  const [start, end] = [html.indexOf('<main'), html.lastIndexOf('</main>')]
  if (import.meta.env.DEV || start < 0 || end < start)
    return inFront(watchScrolling, styles, inFront(restoreScroll, bodyEnd, html))
  let tags = ''
  let state = ''
  const withoutScripts = (part: string) =>
    part
      .replace(scriptTags, (tag) => {
        tags += tag.replace(' fetchPriority="low"', '')
        return ''
      })
      .replace(stateScripts, (tag) => {
        state += tag
        return ''
      })
  const [before, behind] = [withoutScripts(html.slice(0, start)), withoutScripts(html.slice(end))]
  const head = before.replace('</head>', () => `<template>${state}${tags}</template></head>`)
  return (
    inFront(`${watchScrolling};${startScripts}`, styles, head) +
    html.slice(start, end) +
    inFront(restoreScroll, bodyEnd, behind)
  )
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
