import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Notice } from '~/ui/notice'

/** Says where a person sets up the second factor that changes of a page need. */
export function SecondFactorNotice() {
  return (
    <Notice tone="warning">
      <Trans>
        Changes here need a second factor. Add a passkey or an authenticator app under{' '}
        <Link to="/account">your account</Link>.
      </Trans>
    </Notice>
  )
}
