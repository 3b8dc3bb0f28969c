import { Trans } from '@lingui/react/macro'
import { Notice } from '~/ui/notice'

/** The link of a mail was opened: what is left to do. */
export function LinkNotice() {
  return (
    <Notice>
      <Trans>Enter your email and password to sign in on this device.</Trans>
    </Notice>
  )
}

/** What was done just before: a new password was chosen. */
export function LoginNotice() {
  return (
    <Notice tone="success">
      <Trans>Your password was changed. Sign in with your new password.</Trans>
    </Notice>
  )
}
