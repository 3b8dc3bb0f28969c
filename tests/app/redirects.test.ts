import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { routeRuleProblem } from '#contract/route-rules.ts'
import { ruleRedirect } from '~/platform/navigation/root-guard'
import { safeReturnPath } from '../../app/platform/address'

const ofSlashesAndDots = fc.string({ unit: fc.constantFrom('/', '.', '\\', '%2e', '%2f', 'a', '?', '#'), maxLength: 8 })

describe('the return path after sign-in', () => {
  it.each(['/', '/products?q=a%20b&page=2', '/products/night-train#comments', '/mypages'])('%s is accepted', (path) =>
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

  it('an accepted return path stays on the store', () => {
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
      { from: '/films', to: '/films/', permanent: false },
      { from: '/café', to: '/caf%C3%A9', permanent: false },
      { from: '/th%C3%A9', to: '/tea', permanent: false },
    ],
    redirectOrigins: ['https://help.example.com'],
  }

  it('a rule passes the rest of a path to its target', () =>
    expect(ruleRedirect('/old/a/b', settings)).toEqual({ href: '/products/a/b', external: false, statusCode: 301 }))
  it('a rule passes one segment to its target', () =>
    expect(ruleRedirect('/film/x', settings)?.href).toBe('/products/x'))
  it('a rule redirects to an origin of the allow-list', () =>
    expect(ruleRedirect('/help', settings)).toEqual({
      href: 'https://help.example.com/start',
      external: true,
      statusCode: 302,
    }))
  it('a rule passes the search parameters on, and parameters of the target win', () => {
    const search = (to: string) => ({ ...settings, routeRules: [{ from: '/films', to, permanent: true }] })
    const href = (to: string, query: string) => ruleRedirect('/films', search(to), query)?.href
    expect(href('/videos', '?x=1&kind=PAY&kind=VOD')).toBe('/videos?x=1&kind=PAY&kind=VOD')
    expect(href('/videos?sort=duration,ASC#top', '?x=1&sort=sort,DESC')).toBe('/videos?sort=duration%2CASC&x=1#top')
    expect(href('/videos?sort=duration,ASC', '?sort=sort,DESC')).toBe('/videos?sort=duration,ASC')
    expect(href('https://help.example.com/start', '?x=%26')).toBe('https://help.example.com/start?x=%26')
    expect(href('/videos', '')).toBe('/videos')
  })
  it('a rule matches a path in any percent encoding', () => {
    for (const path of ['/thé', '/th%C3%A9']) expect(ruleRedirect(path, settings)?.href).toBe('/tea')
  })
  it.each(['/out', '/slash/evil.example', '/self', '/films', '/café', '/caf%C3%A9', '/film/x/y', '/products'])(
    'does not redirect %s',
    (path) => expect(ruleRedirect(path, settings)).toBeUndefined(),
  )
})

describe('route rules that form a redirect loop', () => {
  const problem = (...rules: [string, string][]) =>
    routeRuleProblem(
      rules.map(([from, to]) => ({ from, to, permanent: true })),
      ['https://films.example.com', 'https://help.example.com'],
      ['films.example.com'],
    )
  it.each([
    [
      [
        ['/a', '/b'],
        ['/b', '/a'],
      ],
      '/a → /b → /a, by routeRules[0] and routeRules[1]',
    ],
    [
      [
        ['/x', '/y'],
        ['/a', '/b?from=a'],
        ['/b', '/c#top'],
        ['/c', '/a'],
      ],
      '/a → /b → /c → /a, by routeRules[1]',
    ],
    [
      [
        ['/old/:code', '/new/:code'],
        ['/new/:id', '/old/:id'],
      ],
      '/old/any → /new/any → /old/any',
    ],
    [
      [
        ['/old/:code', '/new/:code'],
        ['/new/film', '/old/film'],
      ],
      '/old/film → /new/film → /old/film',
    ],
    [[['/a/:rest*', '/a/b/:rest*']], 'by routeRules[0]'],
    [
      [
        ['/a', '/b/'],
        ['/b', '/a'],
      ],
      '/a → /b → /a',
    ],
    [
      [
        ['/café', '/b'],
        ['/b', '/caf%C3%A9'],
      ],
      '/café → /b → /caf%C3%A9',
    ],
    [
      [
        ['/a', 'https://films.example.com/b'],
        ['/b', '/a'],
      ],
      '/a → /b → /a',
    ],
  ] as [[string, string][], string][])('%j are refused by name', (rules, way) =>
    expect(problem(...rules)).toMatchObject({ part: 'to', message: expect.stringContaining(way) }),
  )
  it.each([
    ['/films', '/films/'],
    ['/films', '/films?sort=new'],
    ['/café', '/caf%C3%A9'],
    ['/films/:code', '/films/:code/'],
    ['/a', 'https://films.example.com/a'],
  ])('a rule from %s to %s is refused: both are the same page', (from, to) =>
    expect(problem([from, to])).toMatchObject({ part: 'to', message: 'must not be the same path as "from"' }),
  )
  it('many rules are checked for loops in reasonable time', () => {
    const rules = Array.from({ length: 300 }, (_, at): [string, string] => [`/old-${at}/:code`, `/new-${at}/:code`])
    const started = process.threadCpuUsage()
    expect(problem(...rules)).toBeUndefined()
    const { user, system } = process.threadCpuUsage(started)
    expect((user + system) / 1000).toBeLessThan(4000)
  })
  it.each([
    [[['/a', 'https://help.example.com/a']]],
    [
      [
        ['/a', '/b'],
        ['/b', '/c'],
        ['/c', '/products'],
      ],
    ],
    [
      [
        ['/old/:code', '/new/:code'],
        ['/new/film', '/products/film'],
      ],
    ],
    [[['/deep/:rest*', '/:rest*']]],
  ] as [[string, string][]][])('%j are accepted because they end', (rules) => expect(problem(...rules)).toBeUndefined())
})

describe('a new route rule', () => {
  const origins = ['https://help.example.com']
  const problem = (from: string, to: string) => routeRuleProblem([{ from, to, permanent: true }], origins)
  it.each([
    ['/films', '/videos'],
    ['/film/:code', '/products/:code'],
    ['/old/:rest*', '/products/:rest*?from=old'],
    ['/help/:topic', 'https://help.example.com/:topic'],
  ])('is accepted from %s to %s', (from, to) => expect(problem(from, to)).toBeUndefined())
  it.each([
    ['/out', 'https://evil.example/'],
    ['/out', '//evil.example'],
    ['/out', '/\\evil.example'],
    ['/out', 'javascript:alert(1)'],
    ['/out', 'http://help.example.com/'],
    ['/out', 'https://help.example.com.evil.example/'],
    ['/out', 'https://help.example.com@evil.example/'],
    ['/out/:host', 'https://:host/'],
    ['/out', 'videos'],
    ['/out', ''],
    ['/film/:code', '/products/:id'],
    ['/self', '/self'],
  ])('is refused from %s to %s', (from, to) => expect(problem(from, to)).toMatchObject({ at: 0, part: 'to' }))
  it.each(['films', '//evil.example', '/films?x=1', '/:rest*/more', ''])('is refused from %s', (from) =>
    expect(problem(from, '/videos')).toMatchObject({ at: 0, part: 'from' }),
  )
})
