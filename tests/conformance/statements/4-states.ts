import { by, decidedIn, inNavigation, inSession, inShell, section } from '../statement.ts'

const closed = by('e2e/tenants.spec.ts', 'the store "…" answers every page with … and status 503')

/** States and transitions. */
export const states = section(4, [
  ['Logged in: a user record is loaded', inSession],
  [
    'Subscribed: the user has a partnership or regular plan',
    by('api/plans.test.ts', 'covers everything on plans, to its end'),
  ],
  [
    'Only-plan mode: payment off and subscribe on; price display is then inactive',
    by('e2e/tenants.spec.ts', 'in a store that sells plans alone there is no price and no cart'),
  ],
  ['A token cookie triggers a user fetch; if it fails, approval is cancelled', inSession],
  ['If the contract fails to load, approval is cancelled', inNavigation],
  ['A login with a Bearer token result also registers approval with the app server', inSession],
  ['useCustomer false leads to /customer/contract-expired', closed],
  ['useSite false leads to /customer/site-disabled', closed],
  ['A modal is cleared 1 second after closing: its stored errors are cleaned and its content reset', inSession],
  ['Order/payment status transitions: not shown', decidedIn('api/modules/orders/orders.ts')],
  ['A locale switch runs before and after hooks', inShell],
  ['A locale switch loads fallback and new locale messages', inShell],
  [
    'A newer build detected by polling causes a reload on the next navigation',
    by('e2e/shell.spec.ts', 'a newer build reloads at the next navigation, straight to its target'),
  ],
])
