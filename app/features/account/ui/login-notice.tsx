import { Trans } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { Notice } from '~/ui/notice'

/** The word of the address that says from where one comes. */
export const loginNotice = z.catch(z.optional(z.literal('PASSWORD_CHANGED')), undefined)

/** What was done just before: a new password was chosen. */
export function LoginNotice() {
  return (
    <Notice tone="success">
      <Trans>Your password was changed. Sign in with your new password.</Trans>
    </Notice>
  )
}
