import { Trans, useLingui } from '@lingui/react/macro'
import { clockAt } from '#contract/dates.ts'
import { TextField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { notify } from '../../platform/notifications'
import { useSettings } from '../../platform/settings'
import { useWrite } from '../../platform/use-write'
import type { Texts } from '../../ui/form'
import { MemberDialog } from './member-dialog'
import type { SubscriptionDialogProps } from './subscription-dialogs'

/** Pauses a subscription, or changes the day on which it resumes. */
export function PauseDialog({ id, subscription, onClose }: SubscriptionDialogProps) {
  const { t } = useLingui()
  const { date } = useFormat()
  const { timeZone } = useSettings().base
  const { members } = useAdminApi().admin
  const { periodEnd, overdue, paused, version } = subscription
  const pause = useWrite(
    ({ reason = '', until = '' }: Texts) =>
      members.pauseSubscription({ id, reason, ...(until && { until }) }, { context: { ifMatch: version } }),
    { done: t`Subscription paused`, changes: [['member', id], ['members']], onClose },
  )
  const resumeAt = paused?.resumeAt
  const accessUntil = paused ? paused.accessUntil : periodEnd
  return (
    <MemberDialog
      title={paused ? <Trans>Change the pause</Trans> : <Trans>Pause this subscription?</Trans>}
      action={paused ? <Trans>Save</Trans> : <Trans>Pause</Trans>}
      write={pause}
      changed={['member', id]}
      onClose={onClose}
    >
      <p>
        {overdue ? (
          <Trans>Nothing is paid for the time since, so access ends at once. The payment is not tried again.</Trans>
        ) : (
          accessUntil && <Trans>The member can watch until {date(accessUntil)}, the end of what is paid.</Trans>
        )}{' '}
        <Trans>Nothing is charged during the pause. The member gets an email.</Trans>
      </p>
      <TextField
        label={t`Resume on`}
        hint={t`After the paid period, and at most twelve months after it. Without a day you resume it yourself.`}
        name="until"
        type="date"
        defaultValue={resumeAt ? new Date(clockAt(new Date(resumeAt), timeZone)).toISOString().slice(0, 10) : ''}
        error={pause.failure?.fields.until}
      />
    </MemberDialog>
  )
}

/** Resumes a paused subscription, and charges the next period where the paid one is over. */
export function ResumeDialog({ id, subscription, onClose }: SubscriptionDialogProps) {
  const { t } = useLingui()
  const { date } = useFormat()
  const { members } = useAdminApi().admin
  const { paused, version } = subscription
  const resume = useWrite(
    ({ reason = '' }: Texts) => members.resumeSubscription({ id, reason }, { context: { ifMatch: version } }),
    {
      changes: [['member', id], ['members'], ['home']],
      onDone: ({ charge }) => {
        if (charge === 'DECLINED') notify('error', t`The subscription has resumed, but the card was declined.`)
        else notify('success', t`Subscription resumed`)
      },
      onClose,
    },
  )
  return (
    <MemberDialog
      title={<Trans>Resume this subscription?</Trans>}
      action={<Trans>Resume</Trans>}
      write={resume}
      changed={['member', id]}
      onClose={onClose}
    >
      <p>
        {paused?.accessUntil ? (
          <Trans>It is paid until {date(paused.accessUntil)}, and is charged then as usual.</Trans>
        ) : (
          <Trans>The next period begins now, and the member’s card is charged.</Trans>
        )}{' '}
        <Trans>The member gets an email.</Trans>
      </p>
    </MemberDialog>
  )
}
