import { by, decidedIn, inCalls, inErrors, inShell, section } from './statement.ts'

const constants = by('app/platform.test.ts', 'are those of the specification')

const dateField = by('e2e/orders-filter.spec.ts', 'a date field reads mm/dd/yy, and its calendar begins on Sunday')

const modal = by(
  'e2e/conformance.spec.ts',
  '§2 App shell: a modal container opens a named modal on a global event and closes it on a close event',
)

/** Business constants and limits. */
export const constantsAndLimits = section(9, [
  ['Request timeout 10000 ms', inErrors],
  ['Toast life 3000 ms', inErrors],
  ['exposureLimit 24 for recently watched and viewed lists', inCalls],
  ['Modal reset delay 1000 ms', constants],
  ['Modal widths 440px and 720px', constants],
  ['Toast width 25rem', constants],
  ['Locale cookie 365 days', constants],
  ['Manifest poll interval: value not shown', decidedIn('app/platform/constants.ts')],
  ["UI defaults: English labels 'Yes', 'No', 'Weak', 'Medium', 'Strong'", inShell],
  [
    "English label 'Enter a password'",
    by('e2e/conformance-session.spec.ts', '§8 Only fatal or unhandled errors trigger the global error screen'),
  ],
  ["English label 'No results found'", by('e2e/conformance.spec.ts', '§2 A default layout and an error layout')],
  ['Date format mm/dd/yy of a date field', dateField],
  ['Sunday first day of week', dateField],
  ['Layering: modal 1100, overlay 1000', modal],
  ['Layering: menu 1000', inShell],
  ['Layering: tooltip 1100', modal],
  ['Tooltip max width 12.5rem, fade-in 250 ms', modal],
  ['Price and limit rules for products: not shown', decidedIn('api/modules/orders/cart.ts')],
  ['Price and limit rules for plans: not shown', decidedIn('api/modules/subscriptions/plan-changes.ts')],
])
