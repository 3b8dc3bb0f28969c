import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { safeReturnPath } from '~/platform/navigation/return-path'
import { ruleRedirect } from '~/platform/navigation/route-rules'

const ofSlashesAndDots = fc.string({ unit: fc.constantFrom('/', '.', '\\', '%2e', '%2f', 'a', '?', '#'), maxLength: 8 })

describe('the way back after signing in', () => {
  it.each(['/', '/products?q=a%20b&page=2', '/products/night-train#comments', '/mypages'])('%s is kept', (path) =>
    expect(safeReturnPath(path)).toBe(path),
  )

  it.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/%2Fevil.example',
    '/%5Cevil.example',
    '/%252Fevil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/a/%2e%2e//evil.example',
    '/\t/evil.example',
    '/%09/evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    'evil.example',
    '/login?redirect=/',
    '/api/cancel-approval',
    '',
    null,
    undefined,
    ['/'],
  ])('%j is refused', (path) => expect(safeReturnPath(path)).toBeUndefined())

  it('nothing that is kept leaves the store', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 40 }), ofSlashesAndDots), (text) => {
        const path = safeReturnPath(`/${text}`)
        expect(path === undefined || new URL(path, 'https://store.example').origin === 'https://store.example').toBe(
          true,
        )
      }),
      { numRuns: 2000 },
    )
  })
})

describe('route rules', () => {
  const settings = {
    routeRules: [
      { from: '/old/:rest*', to: '/products/:rest*', permanent: true },
      { from: '/film/:code', to: '/products/:code', permanent: false },
      { from: '/help', to: 'https://help.example.com/start', permanent: false },
      { from: '/out', to: 'https://evil.example/', permanent: false },
      { from: '/slash/:rest*', to: '//:rest*', permanent: false },
      { from: '/self', to: '/self', permanent: false },
    ],
    redirectOrigins: ['https://help.example.com'],
  }

  it('carries the rest of a path along', () =>
    expect(ruleRedirect('/old/a/b', settings)).toEqual({ href: '/products/a/b', external: false, statusCode: 301 }))
  it('carries one segment along', () => expect(ruleRedirect('/film/x', settings)?.href).toBe('/products/x'))
  it('leaves the store for an origin on the allow-list', () =>
    expect(ruleRedirect('/help', settings)).toEqual({
      href: 'https://help.example.com/start',
      external: true,
      statusCode: 302,
    }))
  it.each(['/out', '/slash/evil.example', '/self', '/film/x/y', '/products'])('does not redirect %s', (path) =>
    expect(ruleRedirect(path, settings)).toBeUndefined(),
  )
})
