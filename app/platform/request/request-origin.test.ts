import { describe, expect, it } from 'vitest'
import { isPassive, isSameOrigin } from './request-origin'

describe('requests', () => {
  const request = (headers: Record<string, string>, method = 'GET') =>
    new Request('https://store.example/api/cancel-approval', { method, headers })

  it.each(['cross-site', 'same-site', 'none'])('from %s are not of this store', (site) =>
    expect(isSameOrigin(request({ 'sec-fetch-site': site }))).toBe(false),
  )
  it('are checked by Origin where Sec-Fetch-Site is missing', () => {
    expect(isSameOrigin(request({ origin: 'https://store.example' }, 'POST'))).toBe(true)
    expect(isSameOrigin(request({ origin: 'https://evil.example' }, 'POST'))).toBe(false)
    expect(isSameOrigin(request({ referer: 'https://store.example.evil.com/' }))).toBe(false)
    expect(isSameOrigin(request({}))).toBe(false)
  })
  it('that a page makes by itself are recognized', () => {
    expect(isPassive(request({ 'sec-fetch-dest': 'image' }))).toBe(true)
    expect(isPassive(request({ 'sec-purpose': 'prefetch;prerender' }))).toBe(true)
    expect(isPassive(request({ 'sec-fetch-dest': 'document' }))).toBe(false)
  })
})
