import { by, decidedIn, inBrowser, inData, inSession, inShell, section } from '../statement.ts'

const bought = by(
  'e2e/buy.spec.ts',
  'a guest fills the cart, signs in, is declined, pays again, watches, and finds the film under what they own',
)
const likedAndCommented = by('e2e/buy.spec.ts', 'a member likes, comments, replies and deletes')
const read = by('e2e/browse.spec.ts', 'notices, questions and pages can be read')

/** What the product does and for whom. */
export const whatTheProductDoes = section(1, [
  ['A storefront for paid, free and VOD products (kinds PAY, FREE, VOD)', inData],
  ['with categories', by('api/catalog.test.ts', 'are a flat tree, level by level')],
  ['with notices', by('api/content.test.ts', 'stand pinned first, then the latest, within their period')],
  ['with FAQ', by('api/content.test.ts', 'FAQ is found by all of its words, in Korean too')],
  ['with static pages', by('api/content.test.ts', 'keeps what an author needs')],
  [
    'with plans',
    by('api/plans.test.ts', 'stand in order, with what they cover; those off sale can be read by id alone'),
  ],
  ['with carts', by('api/cart.test.ts', 'a guest gets a token with the first write, and finds the cart again by it')],
  [
    'with orders',
    by(
      'api/orders.test.ts',
      'an order freezes the server’s price, and paying it gives the right, empties the cart and writes the timeline',
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
      'with a card that is kept charges once, opens what the plan covers, and keeps the consent',
    ),
  ],
  ['Members can pay by card', bought],
  [
    'Members can send inquiries',
    by('e2e/inquiries.spec.ts', 'a member reports a problem with a file, is answered, and writes again'),
  ],
  ['The product is multi-tenant', by('e2e/tenants.spec.ts', 'two tenants never share a member')],
  ['The customer code is kept in a cookie (SameSite Lax, path /)', inBrowser],
  ['A missing customer code is an error', inSession],
  [
    'The site can require login for all pages',
    by('e2e/tenants.spec.ts', 'a members-only store leads a guest to the login, and back to where they wanted to go'),
  ],
  [
    'A customer contract or the site itself can be disabled',
    by('e2e/tenants.spec.ts', 'the store "…" answers every page with … and status 503'),
  ],
  ['The site title defaults to a default product name when no configured name exists', inShell],
  [
    'Several locales are supported',
    by('e2e/shell.spec.ts', 'switching the language keeps the page, its filters and its direction'),
  ],
  ['The list of locales and the routing strategy are not shown', decidedIn('app/platform/i18n/locales.ts')],
  [
    'The locale is detected from a cookie, the browser language list or a fallback',
    by('app/platform.test.ts', 'negotiates by address, cookie, browser and tenant, in this order'),
  ],
  ['The locale cookie lives 365 days, path /, SameSite lax', inBrowser],
])
