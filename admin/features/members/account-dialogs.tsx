import { Trans, useLingui } from '@lingui/react/macro'
import type { MemberId } from '#contract/ids.ts'
import { EmailField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import { useWrite } from '../../platform/use-write'
import type { Texts } from '../../ui/form'
import { MemberDialog } from './member-dialog'

interface AccountDialogProps {
  id: MemberId
  onClose: () => void
}

/** Blocks a member, or lets a blocked one sign in again. */
export function BlockDialog({ id, isBlocked, onClose }: AccountDialogProps & { isBlocked: boolean }) {
  const { t } = useLingui()
  const { members } = useAdminApi().admin
  const write = useWrite(({ reason = '' }: Texts) => members[isBlocked ? 'unblock' : 'block']({ id, reason }), {
    done: isBlocked ? t`Member unblocked` : t`Member blocked`,
    changes: [['member', id], ['members']],
    onDone: onClose,
  })
  if (isBlocked)
    return (
      <MemberDialog
        title={<Trans>Unblock this member?</Trans>}
        action={<Trans>Unblock</Trans>}
        write={write}
        onClose={onClose}
      >
        <p>
          <Trans>The member can sign in again.</Trans>
        </p>
      </MemberDialog>
    )
  return (
    <MemberDialog
      title={<Trans>Block this member?</Trans>}
      action={<Trans>Block</Trans>}
      write={write}
      danger
      onClose={onClose}
    >
      <p>
        <Trans>All sessions end, also where something is playing now, and nobody can sign in to the account.</Trans>{' '}
        <Trans>Orders and the subscription stay as they are.</Trans>
      </p>
    </MemberDialog>
  )
}

/** Changes the address with which a member signs in. */
export function EmailDialog({ id, email, onClose }: AccountDialogProps & { email: string }) {
  const { t } = useLingui()
  const { members } = useAdminApi().admin
  const write = useWrite(
    (typed: Texts) => members.changeEmail({ id, email: typed.email ?? '', reason: typed.reason ?? '' }),
    {
      done: t`Email address changed`,
      changes: [['member', id], ['members']],
      onDone: onClose,
    },
  )
  return (
    <MemberDialog
      title={<Trans>Change the email address</Trans>}
      action={<Trans>Change</Trans>}
      write={write}
      onClose={onClose}
    >
      <p>
        <Trans>Make sure that it is the member who asks. All sessions end, and both addresses get an email.</Trans>
      </p>
      <EmailField
        label={t`New email address`}
        defaultValue={email}
        autoComplete="off"
        maxLength={254}
        required
        error={write.failure?.fields.email}
      />
    </MemberDialog>
  )
}
