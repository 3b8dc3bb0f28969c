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
import { orderCode } from '#contract/ids.ts'
import { parseOrdersSearch } from './features/orders/orders.queries'
import { NotFound } from './shell/not-found'
import { Shell } from './shell/shell'

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

/** @throws `notFound()` for a part of a path that names nothing */
const pathValue = <Schema extends z.core.$ZodType>(schema: Schema, text: string): z.output<Schema> => {
  const parsed = z.safeParse(schema, text)
  if (!parsed.success) throw notFound()
  return parsed.data
}

export const router = createRouter({
  routeTree: root.addChildren([home, account, orders, order]),
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
