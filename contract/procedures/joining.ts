import {
  joinConfirm,
  joinForm,
  joinStage,
  joinToken,
  loginAnswer,
  resetChecked,
  resetKeyPath,
  resetRequest,
  resetRequested,
  resetSubmit,
} from '../accounts.ts'
import { procedure } from './procedure.ts'

const join = 'Join'
const password = 'Password'

export const joiningProcedures = {
  requestJoin: procedure('guest', 'POST', '/join/verifications', {
    tag: join,
    summary: 'Send the form and get a code by e-mail',
    description: 'Answers the same for an e-mail that has an account.',
    status: 201,
  })
    .input(joinForm)
    .output(joinStage),
  joinStage: procedure('guest', 'POST', '/join/verifications/stage', { tag: join, summary: 'How far a join has come' })
    .input(joinToken)
    .output(joinStage),
  resendJoinCode: procedure('guest', 'POST', '/join/verifications/resend', {
    tag: join,
    summary: 'Send another code, a minute after the last',
  })
    .input(joinToken)
    .output(joinStage),
  confirmJoin: procedure('guest', 'POST', '/join/verifications/confirm', { tag: join, summary: 'Hand in the code' })
    .input(joinConfirm)
    .output(joinStage),
  join: procedure('guest', 'POST', '/join', {
    tag: join,
    summary: 'Become a member: once, after the code',
    description: 'The member is signed in; a guest token in `x-guest-token` is merged as at login.',
    status: 201,
  })
    .input(joinToken)
    .output(loginAnswer),

  requestReset: procedure('guest', 'POST', '/password-resets', {
    tag: password,
    summary: 'Ask for a mail with an access key',
    description: 'Answers the same, in the same time, for an unknown e-mail.',
  })
    .input(resetRequest)
    .output(resetRequested),
  requestSignInLink: procedure('guest', 'POST', '/sign-in-links', {
    tag: password,
    summary: 'Ask for a mail with a link to sign in on a new device',
    description:
      'Needed only where too many wrong passwords were tried elsewhere: the key of the link goes with the password (`linkKey`). Answers the same, in the same time, for an unknown e-mail; asked again within ten minutes it sends no second mail.',
  })
    .input(resetRequest)
    .output(resetRequested),
  checkReset: procedure('guest', 'GET', '/password-resets/{accessKey}', {
    tag: password,
    summary: 'Whether an access key still opens, and for whom',
    description: 'Asking uses nothing up. 404 for a key that opens nothing any more.',
  })
    .input(resetKeyPath)
    .output(resetChecked),
  reset: procedure('guest', 'POST', '/password-resets/{accessKey}', {
    tag: password,
    summary: 'Set a new password; every session ends',
    status: 204,
  }).input(resetSubmit),
}
