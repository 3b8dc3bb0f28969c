import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isCacheable, sharedPage } from '~/platform/request/guest-page-cache'

const nonce = 'q83vEjRWeJCrze8SNFZ4kA=='
const html = [
  '<!DOCTYPE html><html><head>',
  `<meta property="csp-nonce" content="${nonce}"/>`,
  `<meta name="request-id" content="script-id" nonce="${nonce}"/><style nonce="${nonce}">:root{}</style>`,
  `</head><body>한강<script nonce="${nonce}">1</script><script src="/assets/a.js" nonce="${nonce}"></script>`,
  '<script>injected()</script></body></html>',
].join('')
const headers = new Headers({ 'content-type': 'text/html; charset=utf-8', 'set-cookie': 'customerCode=aurora; Path=/' })
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

describe('a cached page', () => {
  it('names its scripts and styles by their hashes, and has no nonce', async () => {
    const page = await sharedPage(html, headers, nonce)
    expect(page?.hashes).toEqual({ scripts: [hashOf('1')], styles: [hashOf(':root{}')] })
    expect(new TextDecoder().decode(page?.body)).toBe(
      html.replace(/<meta property[^>]*>/, '').replaceAll(` nonce="${nonce}"`, ''),
    )
  })
  it('has no cookie', async () =>
    expect((await sharedPage(html, headers, nonce))?.headers).toEqual([['content-type', 'text/html; charset=utf-8']]))
  it('is not cached where the nonce is part of its text', async () =>
    expect(await sharedPage(`${html}${nonce}`, headers, nonce)).toBeUndefined())
})

describe('a response for the page cache', () => {
  const answer = (init: ResponseInit) => isCacheable(new Response('', init))
  const page = { 'content-type': 'text/html; charset=utf-8' }
  it('is cached as a whole page', () => expect(answer({ headers: page })).toBe(true))
  it('is cached with the cookie of the store', () =>
    expect(answer({ headers: { ...page, 'set-cookie': 'customerCode=aurora' } })).toBe(true))
  it.each([201, 302, 404, 410, 500, 503])('is not cached with status %i', (status) =>
    expect(answer({ status, headers: page })).toBe(false),
  )
  it.each(['private, no-store', 'no-store', 'public, max-age=300'])(
    'is not cached with Cache-Control %s',
    (cacheControl) => expect(answer({ headers: { ...page, 'cache-control': cacheControl } })).toBe(false),
  )
  it('is not cached with a personal cookie', () =>
    expect(answer({ headers: { ...page, 'set-cookie': 'guest=abc' } })).toBe(false))
  it('is not cached as JSON', () => expect(answer({ headers: { 'content-type': 'application/json' } })).toBe(false))
})
