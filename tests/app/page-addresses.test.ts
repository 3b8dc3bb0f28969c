import type { AnyRoute } from '@tanstack/react-router'
import { beforeAll, describe, expect, test } from 'vitest'
import { openFrontDoor } from '#tests/support/front-door.ts'
import { createFullTenant, type FullTenant } from '#tests/support/full-tenant.ts'
import type { TestMember } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { cookieName } from '~/platform/cookies'
import { routeAccess } from '~/platform/navigation/access'
import type { SearchSchema } from '~/platform/navigation/search-schema'
import { routeTree } from '~/routeTree.gen'

const api = createTestApi()
let tenant: FullTenant
let newcomer: TestMember
let door: Awaited<ReturnType<typeof openFrontDoor>>

beforeAll(async () => {
  tenant = await createFullTenant(api, 'fuzz')
  newcomer = await tenant.createMember()
  door = await openFrontDoor(api, `${tenant.code}.test`)
}, 180_000)

interface Page {
  path: string
  /** The parameters of its own schema and of those around it. */
  params: string[]
}

/** Every page of the route tree. */
function pagesBelow(route: AnyRoute, params: string[] = []): Page[] {
  const schema = route.options.validateSearch as SearchSchema<Record<string, never>, unknown> | undefined
  const known = [...new Set([...params, ...Object.keys(schema?.shape ?? {})])]
  const children: AnyRoute[] = Object.values(route.children ?? {})
  if (children.length > 0) return children.flatMap((child) => pagesBelow(child, known))
  return route.options.component || route.lazyFn
    ? [{ path: route.fullPath.replace(/(.)\/$/, '$1'), params: known }]
    : []
}

const pages = pagesBelow(initialised(routeTree as AnyRoute))

function initialised(route: AnyRoute, index = 0): AnyRoute {
  route.init(index)
  for (const [at, child] of Object.values((route.children ?? {}) as AnyRoute[]).entries()) initialised(child, at + 1)
  return route
}

/** What a page's address names, in the tenant of this test. */
const right = (path: string) =>
  path.replace(/\$(\w+)/g, (_, param: string) => {
    if (param === 'type') return tenant.pageType
    if (path.startsWith('/notices')) return tenant.ids.notice
    if (param === 'id') return tenant.ids.plan
    if (path.startsWith('/products')) return tenant.product.code
    if (path.includes('inquiries')) return tenant.inquiryCode
    return path.endsWith('/receipt') ? tenant.paidOrderCode : tenant.orderCode
  })

/** A guest sees what is open to all; of the other pages a guest sees the sign-in form alone. */
const visitors = {
  guest: () => ({}),
  member: () => ({ cookie: `${cookieName.token}=${tenant.member.token}` }),
  newcomer: () => ({ cookie: `${cookieName.token}=${newcomer.token}` }),
}
const visitorOf = (path: string) => (routeAccess[path as keyof typeof routeAccess] === 'members' ? 'member' : 'guest')
const everyWay = (list: Page[]) => [
  ...list.map((page) => ({ ...page, who: visitorOf(page.path) }) as const),
  ...list
    .filter(({ path }) => path === '/' || path === '/products')
    .map((page) => ({ ...page, who: 'member' as const })),
]
const visit = (path: string, who: keyof typeof visitors) => door.visit(path, { headers: visitors[who]() })

const long = 'a'.repeat(8000)
/** As they stand in an address. */
const unreadableNames = [
  ...['%00', 'a%00b', 'nope', '0', 'true', '%7B%22a%22%3A1%7D', '__proto__', 'a%20b', '%', '%E0%A4%A', '%ED%A0%80'],
  ...['%2F', 'a%2Fb', '..%2F..%2Fetc%2Fpasswd', '%5C', '%F0%9F%8E%AC', '%0D%0Aset-cookie:a=b', 'a'.repeat(400), long],
]
const unreadableValues = [
  ...['', 'a%00', '%ED%A0%80', '%E0%A4%A', '2', '-1', 'true', 'null', '%7B%22a%22%3A1%7D', '%5B1%5D'],
  ...['0199a000-0000-7000-8000-000000000001', 'a'.repeat(400)],
]

const all = async <Item>(items: readonly Item[], work: (item: Item) => Promise<void>) => {
  const left = [...items]
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all([worker(), worker(), worker()])
}

describe('a page of the route tree', () => {
  test('is a page of the table of access, each of them', () =>
    expect(pages.map(({ path }) => path).sort()).toEqual(Object.keys(routeAccess).sort()))

  test.each(everyWay(pages))(
    '$path forgives a $who the search parameters it cannot read',
    async ({ path, params, who }) => {
      const address = right(path)
      expect((await visit(address, who)).status).toBe(200)
      const everyParam = (value: string) => params.map((name) => `${name}=${value}`).join('&')
      const searches = [
        ...unreadableValues.map(everyParam),
        params.map((name) => `${name}=a&${name}=2&${name}=%00&${name}[]=1`).join('&'),
        `%=%&__proto__=1&constructor=2&&==&${params[0]}=${long}`,
      ]
      await all(searches, async (search) => {
        const asked = `${address}?${search}`
        expect((await visit(asked, who)).status, asked.slice(0, 300)).toBe(200)
      })
    },
    180_000,
  )

  test.each(pages.filter(({ path }) => path.includes('$')))(
    '$path with a name it cannot read is a page not found',
    async ({ path }) => {
      const names = [...unreadableNames, ...['%00', '%', long].map((name) => `/ko ${name}`)]
      await all(names, async (each) => {
        const [name = '', prefix = ''] = each.split(' ').reverse()
        const asked = prefix + path.replace(/\$\w+/, name)
        const { status, body } = await visit(asked, visitorOf(path) === 'member' ? 'newcomer' : 'guest')
        expect({ status, nul: body.includes('\0') }, asked.slice(0, 300)).toEqual({ status: 404, nul: false })
      })
    },
    180_000,
  )
})
