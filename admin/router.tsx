import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  parseSearchWith,
  stringifySearchWith,
} from '@tanstack/react-router'
import * as z from 'zod/mini'
import { memberId, orderCode } from '#contract/ids.ts'
import { parseMembersSearch } from './features/members/members.queries'
import { parseOrdersSearch } from './features/orders/orders.queries'
import { NotFound } from './shell/not-found'
import { Shell } from './shell/shell'

/** @throws `notFound()` for a part of a path that names nothing */
const pathValue = <Schema extends z.core.$ZodType>(schema: Schema, text: string): z.output<Schema> => {
  const parsed = z.safeParse(schema, text)
  if (!parsed.success) throw notFound()
  return parsed.data
}

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./features/home/home'), 'Home'),
})

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: lazyRouteComponent(() => import('./features/account/account'), 'Account'),
})

const orders = createRoute({
  getParentRoute: () => root,
  path: '/orders',
  validateSearch: parseOrdersSearch,
  component: lazyRouteComponent(() => import('./features/orders/order-list'), 'OrderList'),
})

const order = createRoute({
  getParentRoute: () => root,
  path: '/orders/$code',
  params: { parse: ({ code }) => ({ code: pathValue(orderCode, code) }) },
  component: lazyRouteComponent(() => import('./features/orders/order-page'), 'OrderPage'),
})

const members = createRoute({
  getParentRoute: () => root,
  path: '/members',
  validateSearch: parseMembersSearch,
  component: lazyRouteComponent(() => import('./features/members/member-list'), 'MemberList'),
})

const member = createRoute({
  getParentRoute: () => root,
  path: '/members/$id',
  params: { parse: ({ id }) => ({ id: pathValue(memberId, id) }) },
  component: lazyRouteComponent(() => import('./features/members/member-page'), 'MemberPage'),
})

const routeTree = root.addChildren([
  home,
  account,
  orders,
  order,
  members,
  member,
])

export const router = createRouter({
  routeTree,
  basepath: '/admin',
  // Values are texts: `?q=20261121` is a code, not a number.
  parseSearch: parseSearchWith((value) => value),
  stringifySearch: stringifySearchWith(String),
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
