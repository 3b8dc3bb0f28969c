import { describe, expect, it } from 'vitest'
import { assemblePage, type CachedPage, isCacheable, splitPage } from '~/platform/request/guest-page-cache'

const textFor = (page: CachedPage, marks: { nonce: string; requestId: string }) =>
  new TextDecoder().decode(assemblePage(page, marks))

const nonce = 'q83vEjRWeJCrze8SNFZ4kA=='
const requestId = 'script-id'
const html = [
  '<!DOCTYPE html><html><head>',
  `<meta name="request-id" content="${requestId}" nonce="${nonce}"/>`,
  `</head><body id="${requestId}">한강<script nonce="${nonce}">1</script></body></html>`,
].join('')
const headers = new Headers({ 'content-type': 'text/html; charset=utf-8', 'set-cookie': 'customerCode=aurora; Path=/' })

describe('a cached page', () => {
  it('is sent with the nonce and the request id of its own response', () => {
    const page = splitPage(html, headers, { nonce, requestId })!
    const other = textFor(page, { nonce: 'AAAA', requestId: 'another' })
    expect(other).not.toContain(nonce)
    expect(other).toContain('<meta name="request-id" content="another" nonce="AAAA"/>')
    expect(textFor(page, { nonce, requestId })).toBe(html)
  })
  it('is not changed where the request id is also a word of the page', () => {
    const page = splitPage(html, headers, { nonce, requestId })!
    expect(textFor(page, { nonce, requestId: 'another' })).toContain('<body id="script-id">한강')
  })
  it('has no cookie', () =>
    expect(splitPage(html, headers, { nonce, requestId })!.headers).toEqual([
      ['content-type', 'text/html; charset=utf-8'],
    ]))
  it('is not cached without the element of the request id', () =>
    expect(splitPage('<html></html>', headers, { nonce, requestId })).toBeUndefined())
})

describe('a response for the page cache', () => {
  const answer = (init: ResponseInit) => isCacheable(new Response('', init))
  const page = { 'content-type': 'text/html; charset=utf-8' }
  it('is a whole page', () => expect(answer({ headers: page })).toBe(true))
  it('may name the store', () =>
    expect(answer({ headers: { ...page, 'set-cookie': 'customerCode=aurora' } })).toBe(true))
  it.each([201, 302, 404, 410, 500, 503])('is none of status %i', (status) =>
    expect(answer({ status, headers: page })).toBe(false),
  )
  it.each(['private, no-store', 'no-store', 'public, max-age=300'])('is none that says %s itself', (cacheControl) =>
    expect(answer({ headers: { ...page, 'cache-control': cacheControl } })).toBe(false),
  )
  it('is not cached with a personal cookie', () =>
    expect(answer({ headers: { ...page, 'set-cookie': 'guest=abc' } })).toBe(false))
  it('is no data', () => expect(answer({ headers: { 'content-type': 'application/json' } })).toBe(false))
})
