import * as z from 'zod/mini'
import {
  addressMatch,
  addressQuery,
  loginAnswer,
  me,
  passwordChange,
  profile,
  profileChange,
  session,
  signInForm,
  withdrawalConfirm,
  withdrawalOutlook,
} from '../accounts.ts'
import { sessionId } from '../ids.ts'
import { procedure } from './procedure.ts'

const tag = 'Account'

export const accountProcedures = {
  login: procedure('guest', 'POST', '/login', {
    tag,
    summary: 'Sign in',
    description:
      'A guest token in `x-guest-token` is merged into the member: cart, history and positions. The answer’s `x-device-token`, sent with later sign-ins, makes this device a known one: wrong tries elsewhere never refuse it. RATE_LIMITED carries `retryAfterSeconds` and whether a link to sign in can be asked for (`signInLink`).',
  })
    .input(signInForm)
    .output(loginAnswer),
  logout: procedure('member', 'POST', '/logout', { tag, summary: 'End this session', status: 204 }),
  me: procedure('member', 'GET', '/me', { tag, summary: 'The signed-in member' }).output(me),
  profile: procedure('member', 'GET', '/me/profile', { tag, summary: 'What the store knows of the member' }).output(
    profile,
  ),
  changeProfile: procedure('member', 'PATCH', '/me', { tag, summary: 'Change what the store knows' })
    .input(profileChange)
    .output(profile),
  changePassword: procedure('member', 'POST', '/me/password', {
    tag,
    summary: 'Change the password; other sessions end',
    status: 204,
  }).input(passwordChange),
  exportMe: procedure('member', 'GET', '/me/export', {
    tag,
    summary: 'All stored data of the member, as JSON',
  }).output(z.record(z.string(), z.unknown())),
  withdrawal: procedure('member', 'GET', '/me/withdrawal', { tag, summary: 'What leaving would mean' }).output(
    withdrawalOutlook,
  ),
  withdraw: procedure('member', 'POST', '/me/withdrawal', {
    tag,
    summary: 'Leave: the account is erased',
    description:
      'Records of payment stand for as long as the law asks, without a name. WITHDRAWAL_BLOCKED while money is under way.',
    status: 204,
  }).input(withdrawalConfirm),
  searchAddress: procedure('guest', 'GET', '/addresses', { tag, summary: 'Search postal addresses' })
    .input(addressQuery)
    .output(z.object({ items: z.array(addressMatch) })),
  sessions: procedure('member', 'GET', '/me/sessions', { tag, summary: 'Where the member is signed in' }).output(
    z.object({ items: z.array(session) }),
  ),
  endOtherSessions: procedure('member', 'DELETE', '/me/sessions', {
    tag,
    summary: 'Sign out everywhere else',
    status: 204,
  }),
  endSession: procedure('member', 'DELETE', '/me/sessions/{id}', {
    tag,
    summary: 'Sign out one session',
    status: 204,
  }).input(z.object({ id: sessionId })),
}
