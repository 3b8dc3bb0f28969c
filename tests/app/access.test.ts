import { readFileSync } from 'node:fs'
import type { QueryClient } from '@tanstack/react-query'
import { isRedirect } from '@tanstack/react-router'
import { describe, expect, it } from 'vitest'
import type { Me } from '#contract/accounts.ts'
import { requireNoSubscription } from '~/features/plans/plan-loads'
import {
  isOpenToGuests,
  openToGuests,
  type RouteAccess,
  type RouteCheck,
  routeAccess,
  routeChecks,
} from '~/platform/navigation/access'
import { requireGuest, requireMember, requirePlans, requireSubscription } from '~/platform/navigation/guards'
import { meQuery, siteSettingsQuery } from '~/platform/shell/shell.functions'

const checkOf: Record<string, RouteCheck> = {
  _planned: 'plan',
  _unsubscribed: 'unsubscribed',
  _subscribed: 'subscribed',
}

interface Rule {
  access: RouteAccess
  checks: RouteCheck[]
}

/** Every page of the route tree with the access that the layouts around it grant, and the checks they make. */
function pagesOfTheTree(): Record<string, Rule> {
  const tree = readFileSync('app/routeTree.gen.ts', 'utf8')
  const ids = [...(/interface FileRoutesById \{([^}]*)\}/.exec(tree)?.[1] ?? '').matchAll(/'([^']+)': typeof/g)]
  const pages = ids.map(([, id = '']) => id).filter((id, _, all) => !all.some((other) => other.startsWith(`${id}/`)))
  const shown = pages.filter((id) => !id.startsWith('/api/') && !/\.\w+$/.test(id))
  return Object.fromEntries(
    shown.map((id) => {
      const segments = id.split('/')
      const path = segments.filter((segment) => !segment.startsWith('_')).join('/')
      const access = segments.includes('_member') ? 'members' : segments.includes('_guest') ? 'guests' : 'all'
      const checks = segments.flatMap((segment) => checkOf[segment] ?? [])
      return [path.replaceAll(/(\w)_(?=\/)/g, '$1').replace(/(.)\/$/, '$1') || '/', { access, checks }]
    }),
  )
}

const written = Object.fromEntries(
  Object.entries(routeAccess).map(([path, access]) => [
    path,
    { access, checks: routeChecks[path as keyof typeof routeAccess] ?? [] },
  ]),
)

describe('access', () => {
  it('the access table matches the guards of the layouts for every page', () => {
    expect(pagesOfTheTree()).toEqual(written)
  })

  it('a members-only store has ten pages open to guests', () => expect(openToGuests).toHaveLength(10))

  it.each(['/login', '/reset-password', '/join/input', '/pages/terms', '/notices', '/notices/1', '/faq'])(
    'a store for members only leaves %s open',
    (path) => expect(isOpenToGuests(path)).toBe(true),
  )

  it.each(['/', '/products', '/faq/more', '/noticesx', '/join', '/loginx'])(
    'a store for members only closes %s',
    (path) => expect(isOpenToGuests(path)).toBe(false),
  )
})

/** Where a person ends who asks for a page: there, or at the path they are led to. */
type Outcome = 'opens' | '/' | '/login' | '/plans' | '/mypages/subscription'

const all = { guest: 'opens', member: 'opens', subscriber: 'opens' } as const
const guestsOnly = { guest: 'opens', member: '/', subscriber: '/' } as const
const membersOnly = { guest: '/login', member: 'opens', subscriber: 'opens' } as const
const subscribersOnly = { guest: '/login', member: '/plans', subscriber: 'opens' } as const
const toSubscribe = { guest: '/login', member: 'opens', subscriber: '/mypages/subscription' } as const

/** The specification's table of routes, in a store that has plans. */
const table: Record<string, Record<'guest' | 'member' | 'subscriber', Outcome>> = {
  '/': all,
  '/login': guestsOnly,
  '/faq': all,
  '/join/input': guestsOnly,
  '/join/verify': guestsOnly,
  // Joining ends there signed in; the join-flow check decides.
  '/join/completed': all,
  '/carts': membersOnly,
  '/plans': all,
  '/plans/plan-products': all,
  '/plans/$id/products': all,
  '/plans/payment': toSubscribe,
  '/plans/$id/payment': toSubscribe,
  '/plans/payment-result': membersOnly,
  '/plans/$id/payment-result': membersOnly,
  '/plans/subscription-products': subscribersOnly,
  '/subscription-products': subscribersOnly,
  '/notices': all,
  '/notices/$id': all,
  '/pages/$type': all,
  '/videos': all,
  '/products': all,
  '/products/$code': all,
  '/reset-password': guestsOnly,
  '/payments': membersOnly,
  '/payments/result': membersOnly,
  '/mypages': membersOnly,
  '/mypages/cards': membersOnly,
  '/mypages/profile': membersOnly,
  '/mypages/inquiries': membersOnly,
  '/mypages/inquiries/input': membersOnly,
  '/mypages/inquiries/$code': membersOnly,
  '/mypages/subscription': membersOnly,
  '/mypages/subscription/histories': membersOnly,
  '/mypages/paid-products': membersOnly,
  '/mypages/liked-products': membersOnly,
  '/mypages/order-histories': membersOnly,
  '/customer/site-disabled': all,
  '/customer/contract-expired': all,
}
const routes = Object.keys(table) as (keyof typeof routeAccess)[]

interface Visitor {
  signedIn: boolean
  regular?: boolean
  partnership?: boolean
}

const visitors: Record<'guest' | 'member' | 'subscriber', Visitor> = {
  guest: { signedIn: false },
  member: { signedIn: true },
  subscriber: { signedIn: true, regular: true },
}

/** What the guards know of a visitor: who they are, what the store offers, what the API says of their subscription. */
function queryClientOf({ signedIn, regular = false, partnership = false }: Visitor, useSubscribe: boolean) {
  const member = signedIn ? ({ usePlan: { regular, partnership } } as Me) : null
  const known = new Map<unknown, unknown>([
    [meQuery.queryKey, member],
    [siteSettingsQuery.queryKey, { order: { useSubscribe } }],
  ])
  return {
    getQueryData: (key: unknown) => known.get(key),
    fetchQuery: async ({ queryKey }: { queryKey: unknown }) =>
      queryKey === meQuery.queryKey ? member : { regular: regular ? {} : null, partnership: null },
  } as unknown as QueryClient
}

/** Goes through the guards of a page as a navigation does: its access first, then its checks. */
async function outcome(path: keyof typeof routeAccess, visitor: Visitor, useSubscribe = true): Promise<string> {
  const queryClient = queryClientOf(visitor, useSubscribe)
  const given = { context: { queryClient }, location: { pathname: path, href: path } as never, search: {} }
  const guards = {
    all: () => {},
    guests: () => requireGuest(given),
    members: () => void requireMember(given),
    plan: () => requirePlans(given),
    unsubscribed: () => requireNoSubscription(queryClient),
    subscribed: () => requireSubscription(given),
  }
  try {
    await guards[routeAccess[path]]()
    for (const check of routeChecks[path] ?? []) await guards[check]()
    return 'opens'
  } catch (sent) {
    if (!isRedirect(sent)) throw sent
    const { to, href } = sent.options
    return (to ?? href ?? '').split('?')[0] ?? ''
  }
}

describe('the specification’s routes', () => {
  it('the access table names existing pages only', () => {
    expect(routes.filter((route) => !(route in routeAccess))).toEqual([])
  })

  for (const who of ['guest', 'member', 'subscriber'] as const)
    it.each(routes)(`%s for a ${who}`, async (route) => {
      expect(await outcome(route, visitors[who])).toBe(table[route]?.[who])
    })

  it('the plan check redirects pages about plans home in a store without plans', async () => {
    for (const route of routes.filter((path) => routeChecks[path]?.includes('plan')))
      expect(await outcome(route, visitors.subscriber, false), route).toBe('/')
    expect(await outcome('/mypages/subscription/histories', visitors.subscriber, false)).toBe('opens')
  })

  it('the subscribe check: a partnership opens the pages of subscribers, and subscribing stays possible', async () => {
    const partner = { signedIn: true, partnership: true }
    expect(await outcome('/plans/subscription-products', partner)).toBe('opens')
    expect(await outcome('/subscription-products', partner)).toBe('opens')
    expect(await outcome('/plans/$id/payment', partner)).toBe('opens')
  })

  it('the subscribe check: a plan that just began in another tab counts', async () => {
    const queryClient = queryClientOf(visitors.subscriber, true)
    const late = { ...queryClient, getQueryData: () => ({ usePlan: { regular: false, partnership: false } }) }
    await expect(requireSubscription({ context: { queryClient: late as never } })).resolves.toBeUndefined()
  })
})
