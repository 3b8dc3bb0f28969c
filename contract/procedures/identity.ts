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

  requestJoin: procedure('guest', 'POST', '/join/verifications', {
    tag,
    summary: 'Send the form and get a code by e-mail',
    description: 'Answers the same for an e-mail that has an account.',
    status: 201,
  })
    .input(joinForm)
    .output(joinStage),
  joinStage: procedure('guest', 'POST', '/join/verifications/stage', { tag, summary: 'How far a join has come' })
    .input(joinToken)
    .output(joinStage),
  resendJoinCode: procedure('guest', 'POST', '/join/verifications/resend', {
    tag,
    summary: 'Send another code, a minute after the last',
  })
    .input(joinToken)
    .output(joinStage),
  confirmJoin: procedure('guest', 'POST', '/join/verifications/confirm', { tag, summary: 'Hand in the code' })
    .input(joinConfirm)
    .output(joinStage),
  join: procedure('guest', 'POST', '/join', {
    tag,
    summary: 'Become a member: once, after the code',
    description: 'The member is signed in; a guest token in `x-guest-token` is merged as at login.',
    status: 201,
  })
    .input(joinToken)
    .output(loginAnswer),

  requestReset: procedure('guest', 'POST', '/password-resets', {
    tag,
    summary: 'Ask for a mail with an access key',
    description: 'Answers the same, in the same time, for an unknown e-mail.',
  })
    .input(resetRequest)
    .output(resetRequested),
  requestSignInLink: procedure('guest', 'POST', '/sign-in-links', {
    tag,
    summary: 'Ask for a mail with a link to sign in on a new device',
    description:
      'Needed only where too many wrong passwords were tried elsewhere: the key of the link goes with the password (`linkKey`). Answers the same, in the same time, for an unknown e-mail; asked again within ten minutes it sends no second mail.',
  })
    .input(resetRequest)
    .output(resetRequested),
  checkReset: procedure('guest', 'GET', '/password-resets/{accessKey}', {
    tag,
    summary: 'Whether an access key still opens, and for whom',
    description: 'Asking uses nothing up. 404 for a key that opens nothing any more.',
  })
    .input(resetKeyPath)
    .output(resetChecked),
  reset: procedure('guest', 'POST', '/password-resets/{accessKey}', {
    tag,
    summary: 'Set a new password; every session ends',
    status: 204,
  }).input(resetSubmit),

  operator: procedure('operator', 'GET', '/operator', { tag, summary: 'Whose bearer this is' }).output(operator),
}
