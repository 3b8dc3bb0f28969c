import { globSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { routeRuleProblem } from '#contract/route-rule-check.ts'
import { ruleRedirect } from '#contract/route-rules.ts'
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
  it.each<[string, (at: number) => [string, string]]>([
    ['that rename', (at) => [`/old-${at}/:code`, `/products/new-${at}-:code`]],
    ['that move', (at) => [`/old-${at}/:code`, `/new-${at}/:code`]],
    ['of chains', (at) => [`/:a/x${at}/:b/q${at}`, `/:a/x${at + 1}/:b/q${at + 1}`]],
    ['of one folder', (at) => [`/films/old-${at}/:code`, `/products/new-${at}-:code`]],
    ['without names', (at) => [`/old/${at}`, `/new/${at}`]],
  ])('five hundred rules %s are checked at once', (_, ruleAt) => {
    const rules = Array.from({ length: 500 }, (_, at) => ruleAt(at))
    const started = process.threadCpuUsage()
    expect(problem(...rules)).toBeUndefined()
    const { user, system } = process.threadCpuUsage(started)
    expect((user + system) / 1000).toBeLessThan(2000)
  })
  it('rules that would take too long to check are refused', () => {
    const rules = Array.from({ length: 500 }, (_, at): [string, string] => [
      `/:a/:b/x${at}/:c/y${at}`,
      `/:c/x${at}/:b/:a/:b`,
    ])
    const started = process.threadCpuUsage()
    expect(problem(...rules)).toMatchObject({ part: 'from', code: 'TOO_MANY' })
    const { user, system } = process.threadCpuUsage(started)
    expect((user + system) / 1000).toBeLessThan(4000)
  })
  it('a value of several segments that closes a loop is found', () =>
    expect(problem(['/a/:rest*', '/b/:rest*'], ['/b/c/d', '/a/c/d'])).toMatchObject({
      at: 0,
      message: expect.stringContaining('/a/c/d → /b/c/d → /a/c/d'),
    }))
  it('a part of a segment that closes a loop is found', () =>
    expect(problem(['/a/:code', '/b/new-:code'], ['/b/new-film', '/a/film'])).toMatchObject({ code: 'LOOP' }))
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

describe('route rules that hide one another', () => {
  const problem = (...rules: [string, string][]) =>
    routeRuleProblem(
      rules.map(([from, to]) => ({ from, to, permanent: false })),
      [],
    )
  it.each([
    ['/a', '/a'],
    ['/a/:x', '/a/:y'],
    ['/a/:x*', '/a/b'],
    ['/a/:x*', '/a'],
    ['/:x/:y/z', '/a/:b/z'],
  ])('a rule from %s hides one from %s', (first, second) =>
    expect(problem([first, '/faq'], [second, '/faq'])).toMatchObject({ at: 1, part: 'from', code: 'DUPLICATE' }),
  )
  it.each([
    ['/a/b', '/a/:x'],
    ['/a/:x', '/a/:rest*'],
    ['/a/:x/b', '/a/:x/:y'],
  ])('a rule from %s leaves addresses to one from %s', (first, second) =>
    expect(problem([first, '/faq'], [second, '/faq'])).toBeUndefined(),
  )
  it.each([
    '/',
    '/:rest*',
    '/:page',
    '/login',
    '/login/:x*',
    '/payments/:x',
    '/carts',
    '/reset-password',
    '/mypages/:x*',
    '/plans/:id/payment',
    '/products/:code',
    '/products/:code/watch',
  ])('%s is needed to sign in or to buy', (from) =>
    expect(problem([from, '/faq'])).toMatchObject({ at: 0, part: 'from', code: 'NEEDED_PAGE' }),
  )
  it.each(['/products/former-title', '/videos', '/plan/:x', '/old/:rest*'])('%s is free', (from) =>
    expect(problem([from, '/faq'])).toBeUndefined(),
  )
  it('every page of members and of the catalog is needed, or known not to be', () => {
    const free = /^\/(?:__root|customer|api|faq|index|notices|pages|videos|robots|sitemap|manifest)/
    const optional =
      /inquiries|liked-products|receipt|preview|plan-products|subscription-products|histories$|\/products$/
    const pages = globSync('app/routes/**/*.{ts,tsx}')
      .map((file) =>
        file
          .replace(/^app\/routes|\.tsx?$/g, '')
          .replaceAll(/\/_[a-z]+(?=\/|$)/g, '')
          .replaceAll(/\$([a-z]+)_?/g, 'any')
          .replaceAll('.', '/')
          .replace(/\/(?:index|route)$/, ''),
      )
      .filter((page) => page && !free.test(page) && !optional.test(page))
    expect(pages.length).toBeGreaterThan(15)
    expect(pages.filter((page) => !problem([page.replaceAll('any', ':any'), '/faq']))).toEqual([])
  })
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
