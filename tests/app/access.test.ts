import type { QueryClient } from '@tanstack/react-query'
import { isRedirect } from '@tanstack/react-router'
import { describe, expect, it } from 'vitest'
import type { Me } from '#contract/identity.ts'
import { pageRules } from '#tests/support/pages.ts'
import { requireNoSubscription } from '~/features/subscriptions/plan-loads'
import { requireGuest, requireMember, requirePlans, requireSubscription } from '~/platform/navigation/guards'
import { isOpenToGuests, openToGuests } from '~/platform/navigation/root-guard'
import { meQuery, siteSettingsQuery } from '~/platform/shell/shell.functions'
import { Route as guestLayout } from '~/routes/_guest'
import { Route as memberLayout } from '~/routes/_member'
import { Route as memberPlannedLayout } from '~/routes/_member/_planned'
import { Route as subscribedLayout } from '~/routes/_member/_planned/_subscribed'
import { Route as mypagesPlannedLayout } from '~/routes/_member/mypages/_planned'
import { Route as plannedLayout } from '~/routes/_planned'

describe('access', () => {
  it.each([
    ['_member', memberLayout, requireMember],
    ['_guest', guestLayout, requireGuest],
    ['_planned', plannedLayout, requirePlans],
    ['_member/_planned', memberPlannedLayout, requirePlans],
    ['_member/mypages/_planned', mypagesPlannedLayout, requirePlans],
    ['_member/_planned/_subscribed', subscribedLayout, requireSubscription],
  ])('the layout %s has its guard', (_, layout, guard) => expect(layout.options.beforeLoad).toBe(guard))

  it('the pages of a member’s account, cart and payments are for members', () => {
    const ofMembers = Object.entries(pageRules).filter(([path]) => /^\/(mypages|carts|payments)(\/|$)/.test(path))
    expect(ofMembers.length).toBeGreaterThan(14)
    expect(ofMembers.filter(([, { access }]) => access !== 'members')).toEqual([])
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

/** The path a visitor ends at: the requested page, or the target of a redirect. */
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
  // Joining ends signed in; the join-flow check decides.
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
  // Pages beyond the specification's.
  '/products/$code/watch': all,
  '/products/$code/preview': all,
  '/mypages/order-histories/$code': membersOnly,
  '/mypages/order-histories/$code/receipt': membersOnly,
  '/customer/coming-soon': all,
}
const routes = Object.keys(table)

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

/**
 * The guards' data about a visitor: the member, the store's settings, and the API's answer on
 * their subscription.
 */
function queryClientOf({ signedIn, regular = false, partnership = false }: Visitor, useSubscribe: boolean) {
  const member = signedIn ? ({ usePlan: { regular, partnership } } as Me) : null
  const cachedAnswers = new Map<unknown, unknown>([
    [meQuery.queryKey, member],
    [siteSettingsQuery.queryKey, { order: { useSubscribe } }],
  ])
  return {
    getQueryData: (key: unknown) => cachedAnswers.get(key),
    fetchQuery: async ({ queryKey }: { queryKey: unknown }) =>
      queryKey === meQuery.queryKey ? member : { regular: regular ? {} : null, partnership: null },
  } as unknown as QueryClient
}

/** Runs the guards of a page as a navigation does: access first, then its checks. */
async function outcome(path: string, visitor: Visitor, useSubscribe = true): Promise<string> {
  const queryClient = queryClientOf(visitor, useSubscribe)
  const input = { context: { queryClient }, location: { pathname: path, href: path } as never, search: {} }
  const guards = {
    all: () => {},
    guests: () => requireGuest(input),
    members: () => void requireMember(input),
    plan: () => requirePlans(input),
    unsubscribed: () => requireNoSubscription(queryClient),
    subscribed: () => requireSubscription(input),
  }
  try {
    const { access, checks } = pageRules[path]!
    await guards[access]()
    for (const check of checks) await guards[check]()
    return 'opens'
  } catch (sent) {
    if (!isRedirect(sent)) throw sent
    const { to, href } = sent.options
    return (to ?? href ?? '').split('?')[0] ?? ''
  }
}

describe('the specification’s routes', () => {
  it('the pages of the store are exactly those of this table', () => {
    expect(Object.keys(pageRules).sort()).toEqual(routes.toSorted())
  })

  for (const who of ['guest', 'member', 'subscriber'] as const)
    it.each(routes)(`%s for a ${who}`, async (route) => {
      expect(await outcome(route, visitors[who])).toBe(table[route]?.[who])
    })

  it('the plan check redirects pages about plans home in a store without plans', async () => {
    for (const route of routes.filter((path) => pageRules[path]?.checks.includes('plan')))
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
