import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import type { MemberId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { Checkbox } from '~/ui/choice'
import { EmailField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import { saveFile } from '../../platform/save-file'
import { useMailNotice } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { useConfirm } from '../../ui/confirm'
import type { Texts } from '../../ui/form'
import { TextField } from '../../ui/text-field'
import { MemberDialog } from './member-dialog'
import { PartnershipFields, partnershipIn } from './partnership-dialog'

interface AccountDialogProps {
  id: MemberId
  onClose: () => void
}

interface BlockDialogProps extends AccountDialogProps {
  isBlocked: boolean
  hasPlan: boolean
}

/** Blocks a member, or lets a blocked one sign in again. */
export function BlockDialog({ id, isBlocked, hasPlan, onClose }: BlockDialogProps) {
  const { t } = useLingui()
  const { members } = useAdminApi().admin
  const write = useWrite(
    ({ reason = '', cancels }: Texts) =>
      isBlocked
        ? members.unblock({ id, reason })
        : members.block({ id, reason, cancelsSubscription: cancels !== undefined }),
    {
      done: isBlocked ? t`Member unblocked` : t`Member blocked`,
      changes: [['member', id], ['members']],
      onClose,
    },
  )
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
        <Trans>Orders stay as they are.</Trans>
      </p>
      {hasPlan && (
        <Checkbox
          label={t`Cancel the subscription too`}
          hint={t`It ends with the paid period. Without this, the member is charged again.`}
          name="cancels"
          defaultChecked
        />
      )}
    </MemberDialog>
  )
}

/** Changes the address with which a member signs in. */
export function EmailDialog({
  id,
  email,
  isInvited,
  onClose,
}: AccountDialogProps & { email: string; isInvited: boolean }) {
  const { t } = useLingui()
  const { members } = useAdminApi().admin
  const write = useWrite(
    (typed: Texts) => members.changeEmail({ id, email: typed.email ?? '', reason: typed.reason ?? '' }),
    {
      done: t`Email address changed`,
      changes: [['member', id], ['members']],
      onClose,
    },
  )
  return (
    <MemberDialog
      title={<Trans>Change the email address</Trans>}
      action={<Trans>Change</Trans>}
      write={write}
      needsSecondFactor
      onClose={onClose}
    >
      <p>
        {isInvited ? (
          <Trans>The new address gets the invitation. The link of the earlier one works no longer.</Trans>
        ) : (
          <Trans>Make sure that it is the member who asks. All sessions end, and both addresses get an email.</Trans>
        )}
      </p>
      <EmailField
        label={t`New email address`}
        defaultValue={email}
        autoComplete="off"
        required
        error={write.failure?.fields.email}
      />
    </MemberDialog>
  )
}

/** Opens the store in a new tab as a member sees it. */
export function ViewDialog({ id, email, onClose }: AccountDialogProps & { email: string }) {
  const { t } = useLingui()
  const { members } = useAdminApi().admin
  const write = useWrite(({ reason = '' }: Texts) => members.view({ id, reason }), {
    done: t`The store is open in a new tab`,
    changes: [['member', id]],
    onDone: () => {
      // A browser that blocks new tabs shows the store in this one.
      if (!window.open('/', '_blank')) window.location.assign('/')
      onClose()
    },
  })
  return (
    <MemberDialog
      title={<Trans>See the store as this member?</Trans>}
      action={<Trans>Open the store</Trans>}
      write={write}
      onClose={onClose}
    >
      <p>
        <Trans>
          For half an hour you see what <bdi>{email}</bdi> sees. What the member may watch plays. You cannot buy, write
          or change anything, and nothing is added to what the member watched. The history says that you looked, and
          why.
        </Trans>{' '}
        <Trans>If you are signed in to the store yourself in this browser, you are signed out.</Trans>
      </p>
    </MemberDialog>
  )
}

/** Downloads all data of a member who asked for it. */
export function ExportDialog({ id, onClose }: AccountDialogProps) {
  const { t } = useLingui()
  const { members } = useAdminApi().admin
  const write = useWrite(({ reason = '' }: Texts) => members.exportData({ id, reason }), {
    done: t`Data exported`,
    changes: [['member', id]],
    onDone: (data) =>
      saveFile(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }), `member-${id}.json`),
    onClose,
  })
  return (
    <MemberDialog
      title={<Trans>Export all data of this member?</Trans>}
      action={<Trans>Export</Trans>}
      write={write}
      onClose={onClose}
    >
      <p>
        <Trans>
          The file has everything that the store knows about the member. Make sure that it is the member who asks, and
          send it to them alone.
        </Trans>
      </p>
    </MemberDialog>
  )
}

/** Deletes the account of a member who asked for it, after the address was typed. */
export function EraseDialog({ id, email, onClose }: AccountDialogProps & { email: string }) {
  const { t } = useLingui()
  const { members } = useAdminApi().admin
  const navigate = useNavigate()
  const erase = useWrite(
    (typed: Texts) => members.erase({ id, email: typed.email ?? '', reason: typed.reason ?? '' }),
    {
      done: t`Account deleted`,
      changes: [['members']],
      onDone: () => void navigate({ to: '/members' }),
    },
  )
  return (
    <MemberDialog
      title={<Trans>Delete this account?</Trans>}
      action={<Trans>Delete the account</Trans>}
      write={erase}
      danger
      needsSecondFactor
      onClose={onClose}
    >
      <p>
        <Trans>
          Personal data, titles and the subscription end for good. Records that the law requires stay without a name.
          The member gets an email.
        </Trans>{' '}
        <Trans>
          Notes and reasons about the member are deleted from all histories. The reason for the deletion stays: write no
          name in it.
        </Trans>
      </p>
      <TextField
        label={t`Type ${email} to confirm`}
        name="email"
        autoComplete="off"
        autoCapitalize="none"
        dir="ltr"
        required
        error={erase.failure?.fields.email}
      />
    </MemberDialog>
  )
}

interface PartnershipDialogProps extends AccountDialogProps {
  /** Null without a partnership that has not ended. */
  current: { lastDay: string; name: string | null } | null
}

/** Gives a member all titles of plans until a day, or ends that. */
export function PartnershipDialog({ id, current, onClose }: PartnershipDialogProps) {
  const { t } = useLingui()
  const { members } = useAdminApi().admin
  const write = useWrite((texts: Texts) => members.setPartnership({ id, ...partnershipIn(texts) }), {
    done: t`Partnership saved`,
    changes: [['member', id], ['members'], ['member-facets']],
    onClose,
  })
  return (
    <MemberDialog title={<Trans>Partnership</Trans>} action={<Trans>Save</Trans>} write={write} onClose={onClose}>
      <p>
        <Trans>
          The member watches everything that plans open, without paying: a benefit of a company, or a contract for many.
        </Trans>
      </p>
      <PartnershipFields failure={write.failure} current={current} mayEnd={current !== null} />
    </MemberDialog>
  )
}

/** Mails the member the link of a forgotten password, or the invitation again. */
export function ResetButton({ id, isInvited }: { id: MemberId; isInvited: boolean }) {
  const { t } = useLingui()
  const { members } = useAdminApi().admin
  const mailNotice = useMailNotice()
  const send = useWrite(() => members.sendPasswordReset({ id }), {
    done: mailNotice(isInvited ? t`Invitation sent again` : t`Password reset sent`),
    changes: [['member', id]],
    notifiesFailure: true,
  })
  const confirm = useConfirm({
    title: isInvited ? t`Send the invitation again?` : t`Send a password reset?`,
    text: (
      <p>
        {isInvited ? (
          <Trans>The member gets an email with a link that sets the first password. You do not see the link.</Trans>
        ) : (
          <Trans>The member gets an email with a link that sets a new password. You do not see the link.</Trans>
        )}
      </p>
    ),
    action: t`Send`,
    onConfirm: () => send.sendAsync(undefined),
  })
  return (
    <>
      <Button size="s" onClick={confirm.ask}>
        {isInvited ? <Trans>Send the invitation again</Trans> : <Trans>Send a password reset</Trans>}
      </Button>
      {confirm.dialog}
    </>
  )
}
