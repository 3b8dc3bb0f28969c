/**
 * Who may open a route.
 * - `all`: anyone. `guests`: only who is not signed in. `members`: only who is.
 */
export type RouteAccess = 'all' | 'guests' | 'members'

/** Every route and who may open it. The guards stand in the layouts `_guest` and `_member`; a test holds the two together. */
export const routeAccess = {
  '/': 'all',
  '/login': 'guests',
  '/faq': 'all',
  '/notices': 'all',
  '/notices/$id': 'all',
  '/pages/$type': 'all',
  '/videos': 'all',
  '/products': 'all',
  '/products/$code': 'all',
  '/products/$code/watch': 'all',
  '/carts': 'members',
  '/payments': 'members',
  '/payments/result': 'members',
  '/mypages': 'members',
  '/mypages/paid-products': 'members',
  '/mypages/liked-products': 'members',
  '/mypages/order-histories': 'members',
  '/mypages/order-histories/$code': 'members',
  '/customer/site-disabled': 'all',
  '/customer/contract-expired': 'all',
} as const satisfies Record<string, RouteAccess>

/**
 * With `operation.useLogin` every page asks a guest to sign in, except these. `*` stands for one segment or more.
 */
export const openToGuests = [
  '/login',
  '/reset-password',
  '/join/*',
  '/pages/*',
  '/notices',
  '/notices/*',
  '/faq',
  '/customer/site-disabled',
  '/customer/contract-expired',
] as const

/** Whether a guest may see a path of a store that asks for login everywhere. */
export const isOpenToGuests = (pathname: string): boolean =>
  openToGuests.some((pattern) =>
    pattern.endsWith('/*') ? pathname.startsWith(pattern.slice(0, -1)) : pathname === pattern,
  )
