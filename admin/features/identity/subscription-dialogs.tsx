import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MemberSubscription } from '#contract/admin/subscriptions.ts'
import type { MemberId } from '#contract/ids.ts'
import { TextField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { notify } from '../../platform/notifications'
import { useWrite } from '../../platform/use-write'
import type { Texts } from '../../ui/form'
import { MemberDialog } from './member-dialog'

export interface SubscriptionDialogProps {
  id: MemberId
  subscription: NonNullable<MemberSubscription['current']>
  onClose: () => void
}

/** Cancels a subscription at the end of what is paid. */
export function CancelDialog({ id, subscription, onClose }: SubscriptionDialogProps) {
  const { t } = useLingui()
  const { date } = useFormat()
  const { members } = useAdminApi().admin
  const { status, periodEnd, paused, version } = subscription
  const cancel = useWrite(
    ({ reason = '' }: Texts) => members.cancelSubscription({ id, reason }, { context: { ifMatch: version } }),
    { done: t`Subscription canceled`, changes: [['member', id], ['members']], onClose },
  )
  return (
    <MemberDialog
      title={<Trans>Cancel this subscription?</Trans>}
      action={<Trans>Cancel the subscription</Trans>}
      write={cancel}
      changed={['member', id]}
      danger
      onClose={onClose}
    >
      <p>
        {status === 'PENDING' || !periodEnd || (paused && !paused.accessUntil) ? (
          <Trans>Nothing is paid for the time since, so it ends at once.</Trans>
        ) : (
          <Trans>The member can watch until {date(periodEnd)} and is not charged again.</Trans>
        )}{' '}
        <Trans>The member gets an email.</Trans>
      </p>
    </MemberDialog>
  )
}

/** Revokes a cancellation that has not taken effect. */
export function ContinueDialog({ id, subscription, onClose }: SubscriptionDialogProps) {
  const { t } = useLingui()
  const { date, money } = useFormat()
  const { members } = useAdminApi().admin
  const { cancelAt, price, version } = subscription
  const revoke = useWrite(
    ({ reason = '' }: Texts) => members.revokeCancellation({ id, reason }, { context: { ifMatch: version } }),
    { done: t`Cancellation revoked`, changes: [['member', id], ['members']], onClose },
  )
  return (
    <MemberDialog
      title={<Trans>Revoke the cancellation?</Trans>}
      action={<Trans>Revoke the cancellation</Trans>}
      write={revoke}
      changed={['member', id]}
      onClose={onClose}
    >
      <p>
        {cancelAt && (
          <Trans>
            The subscription does not end on {date(cancelAt)}. It is renewed then, and the member is charged{' '}
            {money(price)}. Make sure that it is the member who asks.
          </Trans>
        )}{' '}
        <Trans>The member gets an email.</Trans>
      </p>
    </MemberDialog>
  )
}

const maxExtensionDays = 366
const dayMilliseconds = 86_400_000

/** Adds free days to a trial or paid period. */
export function ExtendDialog({ id, subscription, onClose }: SubscriptionDialogProps) {
  const { t } = useLingui()
  const { date } = useFormat()
  const { members } = useAdminApi().admin
  const { periodEnd, cancelAt, version } = subscription
  const [typedDays, setTypedDays] = useState('7')
  const added = Number(typedDays)
  // As the API counts them: a day has 24 hours.
  const newEnd =
    periodEnd && Number.isInteger(added) && added >= 1 && added <= maxExtensionDays
      ? new Date(Date.parse(periodEnd) + added * dayMilliseconds).toISOString()
      : null
  const extend = useWrite(
    ({ reason = '', days = '' }: Texts) =>
      members.extendSubscription({ id, reason, days: Number(days) }, { context: { ifMatch: version } }),
    { done: t`Subscription extended`, changes: [['member', id], ['members']], onClose },
  )
  return (
    <MemberDialog
      title={<Trans>Extend this subscription</Trans>}
      action={<Trans>Extend</Trans>}
      write={extend}
      changed={['member', id]}
      onClose={onClose}
    >
      <p>
        {periodEnd &&
          (cancelAt ? (
            <Trans>It ends on {date(periodEnd)}. The days are free and move its end.</Trans>
          ) : (
            <Trans>The next payment is due on {date(periodEnd)}. The days are free and move that payment.</Trans>
          ))}{' '}
        <Trans>The member gets an email.</Trans>
      </p>
      <TextField
        label={t`Days`}
        name="days"
        type="number"
        min={1}
        max={maxExtensionDays}
        value={typedDays}
        onChange={({ target }) => setTypedDays(target.value)}
        required
        error={extend.failure?.fields.days}
      />
      <p role="status">
        {newEnd &&
          (cancelAt ? (
            <Trans>New end: {date(newEnd)}</Trans>
          ) : (
            <Trans>The next payment is then due on {date(newEnd)}.</Trans>
          ))}
      </p>
    </MemberDialog>
  )
}

/** Charges an overdue renewal now, rather than at its next attempt. */
export function RetryDialog({ id, subscription, onClose }: SubscriptionDialogProps) {
  const { t } = useLingui()
  const { money, dateTime } = useFormat()
  const { members } = useAdminApi().admin
  const { nextCharge, overdue, version } = subscription
  const queryClient = useQueryClient()
  const retry = useWrite(
    // A declined charge changes the subscription too, and so its version.
    ({ reason = '' }: Texts) =>
      members
        .retryCharge({ id, reason }, { context: { ifMatch: version } })
        .finally(() => queryClient.invalidateQueries({ queryKey: ['member', id] })),
    { done: t`Payment received`, changes: [['members'], ['home']], onClose },
  )
  return (
    <MemberDialog
      title={<Trans>Charge the overdue payment now?</Trans>}
      action={nextCharge ? <Trans>Charge {money(nextCharge.amount)}</Trans> : <Trans>Charge now</Trans>}
      write={retry}
      needsSecondFactor
      changed={['member', id]}
      onClose={onClose}
    >
      <p>
        {overdue?.nextAttemptAt && <Trans>The next attempt is due on {dateTime(overdue.nextAttemptAt)}.</Trans>}{' '}
        <Trans>The member’s current card is charged.</Trans>
      </p>
    </MemberDialog>
  )
}

/** Ends a subscription now, with the refund that the rule gives. */
export function EndDialog({ id, subscription, onClose }: SubscriptionDialogProps) {
  const { t } = useLingui()
  const { money } = useFormat()
  const { members } = useAdminApi().admin
  const { refundNow, version } = subscription
  const end = useWrite(
    ({ reason = '' }: Texts) => members.endSubscription({ id, reason }, { context: { ifMatch: version } }),
    {
      changes: [['member', id], ['members']],
      onDone: ({ step }) => {
        notify(
          'success',
          step === 'REFUND' ? t`Subscription ended` : t`The refund has begun. The provider will confirm it.`,
        )
      },
      onClose,
    },
  )
  return (
    <MemberDialog
      title={<Trans>End this subscription now?</Trans>}
      action={refundNow.amount > 0 ? <Trans>End and refund {money(refundNow)}</Trans> : <Trans>End now</Trans>}
      write={end}
      changed={['member', id]}
      danger
      onClose={onClose}
    >
      <p>
        <Trans>The member can no longer watch what only the plan includes.</Trans>{' '}
        {refundNow.amount > 0 ? (
          <Trans>The unused share of the paid period is refunded: {money(refundNow)}.</Trans>
        ) : (
          <Trans>Nothing is refunded, because nothing is paid for the time from now on.</Trans>
        )}{' '}
        <Trans>The member gets an email.</Trans>
      </p>
    </MemberDialog>
  )
}
