import * as z from 'zod/mini'
import {
  addressMatch,
  addressQuery,
  joinConfirm,
  joinForm,
  joinStage,
  joinToken,
  loginAnswer,
  me,
  operator,
  passwordChange,
  profile,
  profileChange,
  resetChecked,
  resetKeyPath,
  resetRequest,
  resetRequested,
  resetSubmit,
  session,
  signInForm,
  withdrawalConfirm,
  withdrawalOutlook,
} from '../identity.ts'
import { sessionId } from '../ids.ts'
import { procedure } from './procedure.ts'

const tag = 'Identity'

export const identityProcedures = {
  login: procedure('guest', 'POST', '/login', {
    tag,
    summary: 'Sign in',
    description:
      'Returns a bearer token. The cart, history and positions of the guest in `x-guest-token` move to the member. The response header `x-device-token` identifies the device. Send it with later sign-ins, so that failed attempts on other devices do not block this one. RATE_LIMITED returns `retryAfterSeconds`, and in `signInLink` whether a sign-in link can be requested.',
  })
    .input(signInForm)
    .output(loginAnswer),
  logout: procedure('member', 'POST', '/logout', { tag, summary: 'Sign out', status: 204 }),
  me: procedure('member', 'GET', '/me', { tag, summary: 'Retrieve the signed-in member' }).output(me),
  profile: procedure('member', 'GET', '/me/profile', { tag, summary: 'Retrieve the profile' }).output(profile),
  changeProfile: procedure('member', 'PATCH', '/me', { tag, summary: 'Update the profile' })
    .input(profileChange)
    .output(profile),
  changePassword: procedure('member', 'POST', '/me/password', {
    tag,
    summary: 'Change the password',
    description: 'Signs the member out of all other sessions.',
    status: 204,
  }).input(passwordChange),
  exportMe: procedure('member', 'GET', '/me/export', {
    tag,
    summary: 'Export the member’s data',
    description: 'Returns all data that is stored about the member.',
  }).output(z.record(z.string(), z.unknown())),
  withdrawal: procedure('member', 'GET', '/me/withdrawal', {
    tag,
    summary: 'Preview the account deletion',
    description: 'Returns what is lost and what must be settled first.',
  }).output(withdrawalOutlook),
  withdraw: procedure('member', 'POST', '/me/withdrawal', {
    tag,
    summary: 'Delete the account',
    description:
      'Payment records are retained without personal data for the period that the law requires. Returns WITHDRAWAL_BLOCKED while an order waits for its deposit or a refund is open.',
    status: 204,
  }).input(withdrawalConfirm),
  searchAddress: procedure('guest', 'GET', '/addresses', { tag, summary: 'Search postal addresses' })
    .input(addressQuery)
    .output(z.object({ items: z.array(addressMatch) })),
  sessions: procedure('member', 'GET', '/me/sessions', { tag, summary: 'List sessions' }).output(
    z.object({ items: z.array(session) }),
  ),
  endOtherSessions: procedure('member', 'DELETE', '/me/sessions', {
    tag,
    summary: 'Sign out of all other sessions',
    status: 204,
  }),
  endSession: procedure('member', 'DELETE', '/me/sessions/{id}', {
    tag,
    summary: 'Sign out of a session',
    status: 204,
  }).input(z.object({ id: sessionId })),

  requestJoin: procedure('guest', 'POST', '/join/verifications', {
    tag,
    summary: 'Start a sign-up',
    description: 'Sends a code by email. The response is the same for an email address that already has an account.',
    status: 201,
  })
    .input(joinForm)
    .output(joinStage),
  joinStage: procedure('guest', 'POST', '/join/verifications/stage', {
    tag,
    summary: 'Retrieve the state of a sign-up',
  })
    .input(joinToken)
    .output(joinStage),
  resendJoinCode: procedure('guest', 'POST', '/join/verifications/resend', {
    tag,
    summary: 'Send a new code',
    description: 'A new code can be sent one minute after the last one.',
  })
    .input(joinToken)
    .output(joinStage),
  confirmJoin: procedure('guest', 'POST', '/join/verifications/confirm', {
    tag,
    summary: 'Confirm the code of a sign-up',
  })
    .input(joinConfirm)
    .output(joinStage),
  join: procedure('guest', 'POST', '/join', {
    tag,
    summary: 'Complete a sign-up',
    description:
      'Creates the member after the code was confirmed. Returns a bearer token. The cart, history and positions of the guest in `x-guest-token` move to the member.',
    status: 201,
  })
    .input(joinToken)
    .output(loginAnswer),

  requestReset: procedure('guest', 'POST', '/password-resets', {
    tag,
    summary: 'Request a password reset',
    description: 'Sends an access key by email. The response and its time are the same for an unknown email address.',
  })
    .input(resetRequest)
    .output(resetRequested),
  requestSignInLink: procedure('guest', 'POST', '/sign-in-links', {
    tag,
    summary: 'Request a sign-in link',
    description:
      'Needed only after too many failed sign-ins on other devices. Sends a link by email, whose key is sent with the password as `linkKey`. The response and its time are the same for an unknown email address. At most one email is sent in ten minutes.',
  })
    .input(resetRequest)
    .output(resetRequested),
  checkReset: procedure('guest', 'GET', '/password-resets/{accessKey}', {
    tag,
    summary: 'Retrieve a password reset',
    description:
      'Returns the email address of the account. The access key stays valid. Returns 404 for an expired or used key.',
  })
    .input(resetKeyPath)
    .output(resetChecked),
  reset: procedure('guest', 'POST', '/password-resets/{accessKey}', {
    tag,
    summary: 'Reset the password',
    description: 'Sets a new password and signs the member out of all sessions.',
    status: 204,
  }).input(resetSubmit),

  operator: procedure('operator', 'GET', '/operator', { tag, summary: 'Retrieve the calling operator' }).output(
    operator,
  ),
}
