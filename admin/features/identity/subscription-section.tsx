import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, useState } from 'react'
import type { MemberSubscription } from '#contract/admin/subscriptions.ts'
import type { MemberId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { DescriptionList } from '~/ui/card'
import { Badge } from '~/ui/chip'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { lazyPart } from '../../platform/lazy-part'
import { useMay } from '../../platform/session'
import form from '../../ui/form.module.css'
import { Section } from '../../ui/page'
import { usePaymentCode } from '../../ui/payment-codes'
import { Rows } from '../../ui/rows'
import { Loaded } from '../../ui/states'
import { memberSubscriptionQuery } from './members.queries'
import { PauseDialog, ResumeDialog } from './pause-dialogs'
import { PlanChangeDialog } from './plan-change-dialog'
import {
  CancelDialog,
  ContinueDialog,
  EndDialog,
  ExtendDialog,
  RetryDialog,
  type SubscriptionDialogProps,
} from './subscription-dialogs'

// Loaded when it is opened.
const ChargeRefundDialog = lazyPart(async () => ({
  default: (await import('./charge-refund-dialog')).ChargeRefundDialog,
}))

type Current = NonNullable<MemberSubscription['current']>
type Charge = MemberSubscription['charges'][number]

const kinds = { FIRST: msg`First payment`, RENEWAL: msg`Renewal`, UPGRADE: msg`Plan change` } as const

function Status({ subscription: { status, cancelAt, paused, trialEndsAt } }: { subscription: Current }) {
  const { date } = useFormat()
  if (status === 'PENDING')
    return (
      <Badge tone="danger">
        <Trans>Overdue</Trans>
      </Badge>
    )
  if (cancelAt)
    return (
      <Badge tone="warning">
        <Trans>Ends on {date(cancelAt)}</Trans>
      </Badge>
    )
  if (paused)
    return (
      <Badge tone="warning">
        {paused.resumeAt ? <Trans>Paused until {date(paused.resumeAt)}</Trans> : <Trans>Paused</Trans>}
      </Badge>
    )
  return (
    <Badge tone="success">
      {trialEndsAt && Date.parse(trialEndsAt) > Date.now() ? <Trans>In trial</Trans> : <Trans>Active</Trans>}
    </Badge>
  )
}

type DialogName = 'cancel' | 'continue' | 'change' | 'end' | 'extend' | 'pause' | 'resume' | 'retry'

const dialogs: Readonly<Record<DialogName, ComponentType<SubscriptionDialogProps>>> = {
  cancel: CancelDialog,
  continue: ContinueDialog,
  change: PlanChangeDialog,
  end: EndDialog,
  extend: ExtendDialog,
  pause: PauseDialog,
  resume: ResumeDialog,
  retry: RetryDialog,
}

/** What staff may do with a subscription in its state, the most frequent first. */
function useActions(subscription: Current) {
  const { t } = useLingui()
  const may = useMay()
  const { periodEnd, overdue, cancelAt, paused, nextPlan, otherPlans } = subscription
  const [mayWrite, mayRefund] = [may('members:write'), may('refunds:write')]
  const hasTime = !overdue && periodEnd && (!paused || paused.accessUntil)
  const hasPlans = otherPlans.length > 0 || nextPlan
  const actions: { name: DialogName; label: string; isShown: unknown }[] = [
    { name: 'retry', label: t`Charge now`, isShown: overdue && mayWrite },
    { name: 'resume', label: t`Resume`, isShown: paused && mayWrite },
    { name: 'extend', label: t`Extend`, isShown: hasTime && mayWrite },
    {
      name: 'change',
      label: t`Change the plan`,
      isShown: !overdue && !cancelAt && hasPlans && (mayWrite || mayRefund),
    },
    { name: 'pause', label: paused ? t`Change the pause` : t`Pause`, isShown: !cancelAt && mayWrite },
    { name: 'continue', label: t`Revoke the cancellation`, isShown: cancelAt && !overdue && mayWrite },
    { name: 'cancel', label: t`Cancel the subscription`, isShown: !cancelAt && mayWrite },
    { name: 'end', label: t`End now`, isShown: mayRefund },
  ]
  return actions.filter(({ isShown }) => isShown)
}

function CurrentSubscription({ memberId, subscription }: { memberId: MemberId; subscription: Current }) {
  const { t } = useLingui()
  const textOf = usePaymentCode()
  const { money, date, dateTime } = useFormat()
  const actions = useActions(subscription)
  const [opened, setOpened] = useState<DialogName>()
  const Opened = opened && dialogs[opened]
  const { plan, price, cycle, startedAt, periodEnd, nextCharge, nextPlan, overdue, paused } = subscription
  return (
    <>
      <DescriptionList
        rows={[
          {
            key: 'plan',
            term: t`Plan`,
            value: (
              <>
                <bdi>{plan}</bdi> <Status subscription={subscription} />
              </>
            ),
          },
          {
            key: 'price',
            term: t`Price`,
            value: cycle === 'YEAR' ? t`${money(price)} a year` : t`${money(price)} a month`,
          },
          ...(startedAt ? [{ key: 'since', term: t`Subscribed since`, value: date(startedAt) }] : []),
          ...(periodEnd ? [{ key: 'paid', term: t`Period until`, value: dateTime(periodEnd) }] : []),
          ...(nextCharge
            ? [{ key: 'next', term: t`Next payment`, value: `${date(nextCharge.at)} · ${money(nextCharge.amount)}` }]
            : []),
          ...(nextPlan ? [{ key: 'nextPlan', term: t`From the next renewal`, value: <bdi>{nextPlan.name}</bdi> }] : []),
          ...(paused?.accessUntil
            ? [{ key: 'access', term: t`Access until`, value: dateTime(paused.accessUntil) }]
            : []),
          ...(overdue ? [{ key: 'grace', term: t`Access until`, value: dateTime(overdue.graceUntil) }] : []),
          ...(overdue?.failure ? [{ key: 'failure', term: t`Reason`, value: textOf(overdue.failure) }] : []),
        ]}
      />
      <div className={form.buttons}>
        {actions.map(({ name, label }) => (
          <Button key={name} size="s" variant={name === 'end' ? 'danger' : 'secondary'} onClick={() => setOpened(name)}>
            {label}
          </Button>
        ))}
      </div>
      {Opened && <Opened id={memberId} subscription={subscription} onClose={() => setOpened(undefined)} />}
    </>
  )
}

function Charges({ id: memberId, charges }: { id: MemberId; charges: readonly Charge[] }) {
  const { t, i18n } = useLingui()
  const textOf = usePaymentCode()
  const { money, dateTime } = useFormat()
  const mayRefund = useMay()('refunds:write')
  const [refunded, setRefunded] = useState<string>()
  // Loaded again when it changes, so that the dialog has its latest version.
  const opened = charges.find(({ id }) => id === refunded)
  const notPaid = { PENDING: t`Waiting`, FAILED: t`Payment failed` } as const
  return (
    <>
      <Rows
        items={charges.map(({ id, at, plan, kind, status, amount, refunded, refundable, failure }) => ({
          key: id,
          title: <bdi>{plan}</bdi>,
          detail: [
            dateTime(at),
            i18n._(kinds[kind]),
            ...(status === 'PAID' ? [] : [notPaid[status]]),
            ...(status === 'FAILED' && failure ? [textOf(failure)] : []),
          ].join(' · '),
          end: (
            <>
              {refunded.amount > 0 && <Badge>{t`Refunded ${money(refunded)}`}</Badge>}
              {money(amount)}
              {mayRefund && refundable.amount > 0 && (
                <Button size="s" aria-label={t`Refund the payment of ${dateTime(at)}`} onClick={() => setRefunded(id)}>
                  <Trans>Refund</Trans>
                </Button>
              )}
            </>
          ),
        }))}
      />
      {opened && <ChargeRefundDialog id={memberId} charge={opened} onClose={() => setRefunded(undefined)} />}
    </>
  )
}

/** A member's subscription with its charges. Absent for those who never subscribed. */
export function SubscriptionSection({ id }: { id: MemberId }) {
  const query = useQuery(memberSubscriptionQuery(useAdminApi(), id))
  if (query.data && !query.data.current && query.data.charges.length === 0) return null
  return (
    <Section title={<Trans>Subscription</Trans>}>
      <Loaded query={query}>
        {({ current, charges }) => (
          <>
            {current ? (
              <CurrentSubscription memberId={id} subscription={current} />
            ) : (
              <p>
                <Trans>No subscription now.</Trans>
              </p>
            )}
            {charges.length > 0 && <Charges id={id} charges={charges} />}
          </>
        )}
      </Loaded>
    </Section>
  )
}
