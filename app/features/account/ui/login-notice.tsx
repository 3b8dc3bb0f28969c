import { Trans } from '@lingui/react/macro'
import { Notice } from '~/ui/notice'

/** What was done just before: a new password was chosen. */
export function LoginNotice() {
  return (
    <Notice tone="success">
      <Trans>Your password was changed. Sign in with your new password.</Trans>
    </Notice>
  )
}
