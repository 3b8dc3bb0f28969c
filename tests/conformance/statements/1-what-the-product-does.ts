import { by, decidedIn, inBrowser, inData, inShell, section } from './statement.ts'

const bought = by(
  'e2e/buy.spec.ts',
  'a guest fills the cart, signs in, is declined, pays again, watches, and finds the film in purchases',
)
const likedAndCommented = by('e2e/buy.spec.ts', 'a member likes, comments, replies and deletes')
const read = by('e2e/browse.spec.ts', 'notices, FAQ and text pages are readable')

/** What the product does and for whom. */
export const whatTheProductDoes = section(1, [
  ['A storefront for paid, free and VOD products (kinds PAY, FREE, VOD)', inData],
  ['with categories', by('api/catalog.test.ts', 'categories are a flat list with parent and level')],
  ['with notices', by('api/content.test.ts', 'notices are listed pinned first, then latest, within their period')],
  ['with FAQ', by('api/content.test.ts', 'FAQ entries are found by all words of a query, in Korean too')],
  ['with static pages', by('api/content.test.ts', 'rich text keeps headings, lists, emphasis and links')],
  [
    'with plans',
    by('api/plans.test.ts', 'plans are listed in order with their products; plans off sale are read only by id'),
  ],
  ['with carts', by('api/cart.test.ts', 'a guest gets a token with the first write, which identifies the cart')],
  [
    'with orders',
    by(
      'api/orders.test.ts',
      'an order stores the server’s price, and paying it grants the entitlement, empties the cart and writes the timeline',
    ),
  ],
  ['with card payments', bought],
  [
    'with bank payments',
    by('e2e/orders.spec.ts', 'a deposit paid exactly makes the order paid, and what was bought can be watched'),
  ],
  ['with account withdrawal', by('e2e/join.spec.ts', 'an account is deleted with its password')],
  [
    'Visitors (guests) browse products',
    by('e2e/browse.spec.ts', 'each section of the home page links to its products'),
  ],
  ['Visitors (guests) browse categories', inBrowser],
  ['Visitors (guests) browse notices', read],
  ['Visitors (guests) browse FAQ', read],
  ['Visitors (guests) browse pages', read],
  ['Members can like products', likedAndCommented],
  ['Members can comment', likedAndCommented],
  ['Members can buy', bought],
  [
    'Members can hold a subscription plan',
    by(
      'api/subscriptions.test.ts',
      'with a stored card charges once, grants access to the plan’s products and records the consent',
    ),
  ],
  ['Members can pay by card', bought],
  [
    'Members can send inquiries',
    by('e2e/inquiries.spec.ts', 'a member reports a problem with a file, is answered, and writes again'),
  ],
  ['The product is multi-tenant', by('e2e/tenants.spec.ts', 'two tenants never share a member')],
  ['The customer code is kept in a cookie (SameSite Lax, path /)', inBrowser],
  [
    'A missing customer code is an error',
    by('e2e/conformance-session.spec.ts', '§8 Missing customer code: error thrown'),
  ],
  [
    'The site can require login for all pages',
    by('e2e/tenants.spec.ts', 'a members-only store redirects guests to the login, and back to the requested page'),
  ],
  [
    'A customer contract or the site itself can be disabled',
    by('e2e/tenants.spec.ts', 'the store "…" answers every page with … and status 503'),
  ],
  ['The site title defaults to a default product name when no configured name exists', inShell],
  [
    'Several locales are supported',
    by('e2e/shell.spec.ts', 'switching the language keeps the page and its filters, and sets the direction'),
  ],
  ['The list of locales and the routing strategy are not shown', decidedIn('app/platform/i18n/locales.ts')],
  [
    'The locale is detected from a cookie, the browser language list or a fallback',
    by('app/platform.test.ts', 'are negotiated by address, cookie, browser and tenant, in this order'),
  ],
  [
    'The locale cookie lives 365 days, path /, SameSite lax',
    by('e2e/conformance.spec.ts', '§2 A default layout and an error layout'),
  ],
])
