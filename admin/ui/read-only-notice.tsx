import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Permission } from '#contract/permissions.ts'
import { Notice } from '~/ui/notice'
import { useMay } from '../platform/session'
import { permissionLabels } from './permission-labels'

/** Says which permission changes of the page need, to those who may only read it. */
export function ReadOnlyNotice({ permission }: { permission: Permission }) {
  const { i18n } = useLingui()
  if (useMay()(permission)) return null
  const label = i18n._(permissionLabels[permission])
  return (
    <Notice>
      <Trans>You can view this page, but not change it. Ask an owner for the permission “{label}”.</Trans>
    </Notice>
  )
}

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
