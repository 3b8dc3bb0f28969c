/**
 * Who may open a route.
 * - `all`: anyone. `guests`: only who is not signed in. `members`: only who is.
 */
export type RouteAccess = 'all' | 'guests' | 'members'

/**
 * Every route and who may open it. The guards are in the layouts `_guest` and `_member`; a test
 * compares both.
 */
export const routeAccess = {
  '/': 'all',
  '/login': 'guests',
  '/join/input': 'guests',
  '/join/verify': 'guests',
  '/join/completed': 'guests',
  '/reset-password': 'guests',
  '/faq': 'all',
  '/notices': 'all',
  '/notices/$id': 'all',
  '/pages/$type': 'all',
  '/videos': 'all',
  '/products': 'all',
  '/products/$code': 'all',
  '/products/$code/watch': 'all',
  '/products/$code/preview': 'all',
  '/carts': 'members',
  '/payments': 'members',
  '/payments/result': 'members',
  '/plans': 'all',
  '/plans/plan-products': 'all',
  '/plans/$id/products': 'all',
  '/plans/payment': 'members',
  '/plans/$id/payment': 'members',
  '/plans/payment-result': 'members',
  '/plans/$id/payment-result': 'members',
  '/plans/subscription-products': 'members',
  '/subscription-products': 'members',
  '/mypages': 'members',
  '/mypages/cards': 'members',
  '/mypages/subscription': 'members',
  '/mypages/subscription/histories': 'members',
  '/mypages/profile': 'members',
  '/mypages/paid-products': 'members',
  '/mypages/liked-products': 'members',
  '/mypages/inquiries': 'members',
  '/mypages/inquiries/input': 'members',
  '/mypages/inquiries/$code': 'members',
  '/mypages/order-histories': 'members',
  '/mypages/order-histories/$code': 'members',
  '/mypages/order-histories/$code/receipt': 'members',
  '/customer/coming-soon': 'all',
  '/customer/site-disabled': 'all',
  '/customer/contract-expired': 'all',
} as const satisfies Record<string, RouteAccess>

/**
 * What else must hold before a page opens, in this order.
 * - `plan`: the store has plans. `unsubscribed`: the member pays for no plan yet. `subscribed`: a
 * plan of theirs is live.
 */
export type RouteCheck = 'plan' | 'unsubscribed' | 'subscribed'

/**
 * The pages with such checks. The guards are in the layouts `_planned`, `_unsubscribed` and
 * `_subscribed`; the same test compares them.
 */
export const routeChecks: Partial<Record<keyof typeof routeAccess, readonly RouteCheck[]>> = {
  '/plans': ['plan'],
  '/plans/plan-products': ['plan'],
  '/plans/$id/products': ['plan'],
  '/plans/payment': ['plan', 'unsubscribed'],
  '/plans/$id/payment': ['plan', 'unsubscribed'],
  '/plans/payment-result': ['plan'],
  '/plans/$id/payment-result': ['plan'],
  '/plans/subscription-products': ['plan', 'subscribed'],
  '/subscription-products': ['plan', 'subscribed'],
  '/mypages/subscription': ['plan'],
}

/**
 * With `operation.useLogin`, all pages except these require a sign-in. `*` matches one segment or
 * more.
 */
export const openToGuests = [
  '/login',
  '/reset-password',
  '/join/*',
  '/pages/*',
  '/notices',
  '/notices/*',
  '/faq',
  '/customer/coming-soon',
  '/customer/site-disabled',
  '/customer/contract-expired',
] as const

/** Whether a guest may open a path of a store that requires a sign-in. */
export const isOpenToGuests = (pathname: string): boolean =>
  openToGuests.some((pattern) =>
    pattern.endsWith('/*') ? pathname.startsWith(pattern.slice(0, -1)) : pathname === pattern,
  )
