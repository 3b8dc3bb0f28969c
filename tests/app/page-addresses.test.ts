import type { AnyRoute } from '@tanstack/react-router'
import { beforeAll, describe, expect, test } from 'vitest'
import { createFullTenant, type FullTenant } from '#tests/support/full-tenant.ts'
import { pageRules } from '#tests/support/pages.ts'
import { openStoreServer } from '#tests/support/store-server.ts'
import type { TestMember } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { cookieName } from '~/platform/cookies'
import type { SearchSchema } from '~/platform/navigation/search-schema'
import { routeTree } from '~/routeTree.gen'
import { parseSearch } from '../../app/platform/address'

const api = createTestApi()
let tenant: FullTenant
let newcomer: TestMember
let server: Awaited<ReturnType<typeof openStoreServer>>

beforeAll(async () => {
  tenant = await createFullTenant(api, 'fuzz')
  newcomer = await tenant.createMember()
  server = await openStoreServer(api, `${tenant.code}.test`)
}, 180_000)

type Schema = SearchSchema<Record<string, never>, unknown>

interface Page {
  path: string
  /** The schemas of its search parameters: of the routes around it, and its own. */
  schemas: Schema[]
}

/** All pages of the route tree. */
function pagesBelow(route: AnyRoute, schemas: Schema[] = []): Page[] {
  const schema = route.options.validateSearch as Schema | undefined
  const allSchemas = schema ? [...schemas, schema] : schemas
  const children: AnyRoute[] = Object.values(route.children ?? {})
  if (children.length > 0) return children.flatMap((child) => pagesBelow(child, allSchemas))
  return route.options.component || route.lazyFn
    ? [{ path: route.fullPath.replace(/(.)\/$/, '$1'), schemas: allSchemas }]
    : []
}

const pages = pagesBelow(initialised(routeTree as AnyRoute))

function initialised(route: AnyRoute, index = 0): AnyRoute {
  route.init(index)
  for (const [at, child] of Object.values((route.children ?? {}) as AnyRoute[]).entries()) initialised(child, at + 1)
  return route
}

/** The values of path parameters in this test's tenant. */
const validPath = (path: string) =>
  path.replace(/\$(\w+)/g, (_, param: string) => {
    if (param === 'type') return tenant.pageType
    if (path.startsWith('/notices')) return tenant.ids.notice
    if (param === 'id') return tenant.ids.plan
    if (path.startsWith('/products')) return tenant.product.code
    if (path.includes('inquiries')) return tenant.inquiryCode
    return path.endsWith('/receipt') ? tenant.paidOrderCode : tenant.orderCode
  })

/** A guest visits pages open to all; other pages show guests only the sign-in form. */
const visitors = {
  guest: () => ({}),
  member: () => ({ cookie: `${cookieName.token}=${tenant.member.token}` }),
  newcomer: () => ({ cookie: `${cookieName.token}=${newcomer.token}` }),
}
const visitorOf = (path: string) => (pageRules[path]?.access === 'members' ? 'member' : 'guest')
const withVisitors = (list: Page[]) => [
  ...list.map((page) => ({ ...page, who: visitorOf(page.path) }) as const),
  ...list
    .filter(({ path }) => path === '/' || path === '/products')
    .map((page) => ({ ...page, who: 'member' as const })),
]
const visit = (path: string, who: keyof typeof visitors) => server.visit(path, { headers: visitors[who]() })

const long = 'a'.repeat(8000)
/** As they are written in an address. */
const unreadableNames = [
  ...['%00', 'a%00b', 'nope', '0', 'true', '%7B%22a%22%3A1%7D', '__proto__', 'a%20b', '%', '%E0%A4%A', '%ED%A0%80'],
  ...['%2F', 'a%2Fb', '..%2F..%2Fetc%2Fpasswd', '%5C', '%F0%9F%8E%AC', '%0D%0Aset-cookie:a=b', 'a'.repeat(400), long],
]
const unreadableValues = [
  ...['', 'a%00', '%ED%A0%80', '%E0%A4%A', '2', '-1', 'true', 'null', '%7B%22a%22%3A1%7D', '%5B1%5D'],
  ...['0199a000-0000-7000-8000-000000000001', 'a'.repeat(400)],
]

/** Whether a page reads search parameters differently from the pages before it. */
const isReadDifferently = (schemas: readonly Schema[]) => {
  const readings = new Set<string>()
  return (search: string) => {
    const readingCount = readings.size
    return readings.add(JSON.stringify(schemas.map(({ parse }) => parse(parseSearch(search))))).size > readingCount
  }
}

const all = async <Item>(items: readonly Item[], work: (item: Item) => Promise<void>) => {
  const queue = [...items]
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all([worker(), worker(), worker()])
}

describe('a page of the route tree', () => {
  test('is a page of the generated tree, and the tree has no others', () =>
    expect(pages.map(({ path }) => path).sort()).toEqual(Object.keys(pageRules).sort()))

  test.each(withVisitors(pages))(
    '$path opens for a $who with unreadable search parameters',
    async ({ path, schemas, who }) => {
      const address = validPath(path)
      const params = [...new Set(schemas.flatMap(({ shape }) => Object.keys(shape)))]
      expect((await visit(address, who)).status).toBe(200)
      const everyParam = (value: string) => params.map((name) => `${name}=${value}`).join('&')
      const searches = [
        ...unreadableValues.map(everyParam),
        params.map((name) => `${name}=a&${name}=2&${name}=%00&${name}[]=1`).join('&'),
        `%=%&__proto__=1&constructor=2&&==&${params[0]}=${long}`,
      ]
      // The router parses addresses, which two pages prove; the others get the values that they
      // read in another way.
      const searchesToTry =
        path === '/' || path === '/products' ? searches : searches.filter(isReadDifferently(schemas))
      await all(searchesToTry, async (search) => {
        const whole = `${address}?${search}`
        expect((await visit(whole, who)).status, whole.slice(0, 300)).toBe(200)
      })
    },
    180_000,
  )

  test.each(pages.filter(({ path }) => path.includes('$')))(
    '$path with an unreadable name is not found',
    async ({ path }) => {
      const names = [...unreadableNames, ...['%00', '%', long].map((name) => `/ko ${name}`)]
      await all(names, async (each) => {
        const [name = '', prefix = ''] = each.split(' ').reverse()
        const requestPath = prefix + path.replace(/\$\w+/, name)
        const { status, body } = await visit(requestPath, visitorOf(path) === 'member' ? 'newcomer' : 'guest')
        expect({ status, nul: body.includes('\0') }, requestPath.slice(0, 300)).toEqual({ status: 404, nul: false })
      })
    },
    180_000,
  )
})
