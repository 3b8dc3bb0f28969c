import { by, decidedIn, inNavigation, inRoutes, section } from './statement.ts'

/** Roles and permissions. */
export const roles = section(6, [
  ['Guest: the login page only', inRoutes],
  ['Guest: join pages only', by('e2e/join.spec.ts', 'the join pages are for guests only')],
  [
    'Guest: reset-password page only',
    by('e2e/join.spec.ts', 'a forgotten password is replaced by a mailed link that works once'),
  ],
  ['Member: login-required pages', inRoutes],
  ['When operation.useLogin is on, every page redirects guests to /login', inNavigation],
  [
    'except login, reset-password, the join pages, pages/{type}, notices, faq',
    by('app/access.test.ts', 'a store for members only leaves %s open'),
  ],
  ['except the two customer status pages', inNavigation],
  ['Plan and subscribe check conditions: not shown', decidedIn('app/platform/navigation/guards.ts')],
])
