import { by, decidedIn, inNavigation, inSession, inShell, section } from './statement.ts'

const closed = by('e2e/tenants.spec.ts', 'the store "…" answers every page with … and status 503')

/** States and transitions. */
export const states = section(4, [
  [
    'Logged in: a user record is loaded',
    by(
      'e2e/conformance-session.spec.ts',
      '§4 A login with a Bearer token result also registers approval with the app server',
    ),
  ],
  [
    'Subscribed: the user has a partnership or regular plan',
    by('api/plans.test.ts', 'a partnership covers all products of plans until it ends'),
  ],
  [
    'Only-plan mode: payment off and subscribe on; price display is then inactive',
    by('e2e/tenants.spec.ts', 'a store that sells only plans shows no prices and no cart'),
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
    by(
      'e2e/shell.spec.ts',
      'pages load no document while their build is the latest, and after a new build the next one does',
    ),
  ],
])
