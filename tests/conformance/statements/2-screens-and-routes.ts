import { by, decidedIn, inBrowser, inNavigation, inRoutes, inShell, section } from './statement.ts'

const faulty = by(
  'e2e/shell.spec.ts',
  'a server error shows its status, message, request id and a link to the home page',
)
const toasted = by(
  'e2e/shell.spec.ts',
  'an unknown modal shows a toast at the top right, which closes after three seconds',
)

const reset = by('e2e/join.spec.ts', 'a forgotten password is replaced by a mailed link that works once')
const orderModal = by(
  'e2e/modals.spec.ts',
  'the modals of an order open by their events, are 440 px wide, and are cleared a second after closing',
)
const accountModal = by(
  'e2e/join.spec.ts',
  'the modals of an account open by their events, are 440 px wide and have no axe violations',
)

/** Screens and routes: the table, the layouts, the order of a navigation, the app shell. */
export const screensAndRoutes = section(2, [
  ['/ (home): all', inRoutes],
  ['/login: guests only', inRoutes],
  ['/faq: all', inRoutes],
  ['/join/input: guests only, with a join-flow check', inRoutes],
  ['/join/verify: guests only, with a join-flow check', inRoutes],
  ['/join/completed: guests only, with a join-flow check', inRoutes],
  ['/carts: login required', inRoutes],
  ['/plans: plan check', inRoutes],
  ['/plans/plan-products: not shown beyond the route', inRoutes],
  ['/plans/{id}/products: not shown beyond the route', inRoutes],
  ['/plans/payment: login and plan check', inRoutes],
  ['/plans/{id}/payment: login and plan check', inRoutes],
  ['/plans/payment-result: login and plan check', inRoutes],
  ['/plans/{id}/payment-result: login and plan check', inRoutes],
  ['/plans/subscription-products: login, plan check and subscribe check', inRoutes],
  ['/subscription-products: login, plan check and subscribe check', inRoutes],
  ['/notices: all', inRoutes],
  ['/notices/{id}: all', inRoutes],
  ['/pages/{type}: all', inRoutes],
  ['/videos: all', inRoutes],
  ['/products: all', inRoutes],
  ['/products/{code}: all', inRoutes],
  ['/reset-password: guests only, with an access-key confirmation', reset],
  ['/payments: login required', inRoutes],
  ['/payments/result: login required', inRoutes],
  ['/mypages: login', inRoutes],
  ['/mypages/cards: login (implied by area)', inRoutes],
  ['/mypages/profile: login (implied by area)', inRoutes],
  ['/mypages/inquiries: login (implied by area)', inRoutes],
  ['/mypages/inquiries/input: login and global-type fetch', inRoutes],
  ['/mypages/inquiries/{code}: login (implied)', inRoutes],
  ['/mypages/subscription: login and plan check', inRoutes],
  ['/mypages/subscription/histories: login (implied)', inRoutes],
  ['/mypages/paid-products: login (implied)', inRoutes],
  ['/mypages/liked-products: login (implied)', inRoutes],
  ['/mypages/order-histories: login (implied)', inRoutes],
  ['/customer/site-disabled: error layout', inRoutes],
  ['/customer/contract-expired: error layout', inRoutes],
  ['The contents of each screen are not shown', decidedIn('app/features')],
  [
    'Some form-helper paths also exist as routes by accident',
    by('app/access.test.ts', 'the pages of the store are exactly those of this table'),
  ],

  ['A default layout and an error layout', inBrowser],
  [
    "An unmatched route yields a non-fatal 404 with the message 'Page not found: {path}'",
    by('e2e/shell.spec.ts', 'an unknown URL answers 404 with an error page inside the store'),
  ],

  ['On every navigation, in this order: contract, settings, user, categories', inNavigation],
  ['Navigation: route validation first', inNavigation],
  ['Navigation: customer contract check before the site settings', inNavigation],
  ['Navigation: site settings load before the user', inNavigation],
  ['Navigation: user load before the categories', inNavigation],
  ['Navigation: user load when a token exists', inBrowser],
  ['Navigation: categories load before the login-required check', inNavigation],
  ['Navigation: close the category menu', by('e2e/conformance.spec.ts', '§1 Visitors (guests) browse categories')],
  ['Navigation: login-required check before the route rules', inNavigation],
  ['Navigation: route-rule redirect last', inNavigation],
  ['Navigation: an external redirect leaves the app', inNavigation],

  ['App shell: page outlet', by('e2e/conformance.spec.ts', '§2 A default layout and an error layout')],
  ['App shell: global error screen (status code, message, go-home button)', faulty],
  ['App shell: global toast area (top-right, width 25rem)', toasted],
  ['App shell: a modal container opens a named modal on a global event and closes it on a close event', inBrowser],
  ['Modal findPassword', accountModal],
  ['Modal searchAddress', accountModal],
  ['Modal accountWithdrawal', accountModal],
  ['Modal orderRequestCancel', orderModal],
  ['Modal orderBankInfo', orderModal],
  ['Modal orderFailedInfo', orderModal],
  ['Modal orderCancelInfo', orderModal],
  ['Modal videoPreview', by('e2e/browse.spec.ts', 'anyone may watch the preview, in a modal of 720 px')],
  ['Modal width 440px', inBrowser],
  ['Modal width 720px', by('e2e/browse.spec.ts', 'anyone may watch the preview, in a modal of 720 px')],
  ['The favicon and page title come from the base settings', inBrowser],
  ['with a default favicon path and title', inShell],
  ['Robots meta is index,follow when SEO is enabled', inBrowser],
  ['Robots meta is noindex,nofollow otherwise', inBrowser],
  [
    'Dates display as year/month/day by default',
    by('app/platform.test.ts', 'write dates as year/month/day in the time zone of the tenant'),
  ],
])
