import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Subscription } from '#contract/plans.ts'
import { usePaymentFailure } from '~/features/checkout/use-payment-failure'
import { useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import type { SubscriptionWrites } from '../use-subscription-writes'
import { IntentForm } from './intent-form'
import styles from './subscription-page.module.css'

interface Props {
  subscription: Subscription
  writes: SubscriptionWrites
}

/** What is not as usual, and the way back to it. */
export function SubscriptionNotices({ subscription, writes }: Props) {
  return (
    <>
      {subscription.status === 'PENDING' && !subscription.overdue && <FirstCharge subscription={subscription} />}
      {subscription.overdue && <Overdue overdue={subscription.overdue} writes={writes} />}
      {subscription.cancelAt && <Ending at={subscription.cancelAt} writes={writes} />}
      {subscription.nextPlan && <Changing subscription={subscription} writes={writes} />}
    </>
  )
}

function FirstCharge({ subscription: { id, plan } }: { subscription: Subscription }) {
  return (
    <Notice tone="info">
      <p>
        <Trans>Your first payment is still being confirmed. Your plan starts as soon as it’s confirmed.</Trans>
      </p>
      <div className={styles.noticeActions}>
        <Button
          size="s"
          icon="retry"
          render={<Link to="/plans/$id/payment-result" params={{ id: plan.id }} search={{ subscription: id }} />}
        >
          <Trans>Check again</Trans>
        </Button>
      </div>
    </Notice>
  )
}

function Overdue({ overdue, writes }: { overdue: NonNullable<Subscription['overdue']>; writes: SubscriptionWrites }) {
  const format = useFormat()
  const failure = usePaymentFailure()
  return (
    <Notice tone="danger">
      <p className={styles.strong}>
        <Trans>Your last renewal payment failed.</Trans>
      </p>
      <p>{failure(overdue.failure)}</p>
      <p>
        {overdue.nextAttemptAt && <Trans>We’ll try again on {format.dateTime(overdue.nextAttemptAt)}.</Trans>}{' '}
        {overdue.graceUntil && <Trans>You can keep watching until {format.dateTime(overdue.graceUntil)}.</Trans>}
      </p>
      <div className={styles.noticeActions}>
        <IntentForm
          intent="retry"
          fields={{ attempt: writes.attempt }}
          onSend={() => writes.write({ intent: 'retry' })}
        >
          <Button type="submit" size="s" variant="primary" icon="retry" loading={writes.pending === 'retry'}>
            <Trans>Try again now</Trans>
          </Button>
        </IntentForm>
        <Button size="s" icon="card" render={<Link to="/mypages/cards" />}>
          <Trans>Replace card</Trans>
        </Button>
      </div>
    </Notice>
  )
}

function Ending({ at, writes }: { at: string; writes: SubscriptionWrites }) {
  const format = useFormat()
  return (
    <Notice tone="warning">
      <p>
        <Trans>
          Your plan ends on {format.date(at)}. You can keep watching until then, and you won’t be charged again. To
          switch to another plan, keep this one first.
        </Trans>
      </p>
      <IntentForm intent="resume" className={styles.noticeActions} onSend={() => writes.write({ intent: 'resume' })}>
        <Button type="submit" size="s" loading={writes.pending === 'resume'}>
          <Trans>Keep my plan</Trans>
        </Button>
      </IntentForm>
    </Notice>
  )
}

function Changing({ subscription, writes }: Props) {
  const format = useFormat()
  const { plan, nextPlan, nextCharge, periodEnd } = subscription
  const at = nextCharge?.at ?? periodEnd
  if (!nextPlan || !at) return null
  return (
    <Notice tone="info">
      <p>
        <Trans>
          On {format.date(at)}, your plan changes to {storeText(nextPlan, 'name')}. You keep {storeText(plan, 'name')}{' '}
          until then.
        </Trans>
      </p>
      <IntentForm
        intent="change"
        fields={{ attempt: writes.attempt, planId: plan.id }}
        className={styles.noticeActions}
        onSend={() => writes.write({ intent: 'change', planId: plan.id })}
      >
        <Button type="submit" size="s" loading={writes.pending === 'change'}>
          <span>
            <Trans>Keep {storeText(plan, 'name')}</Trans>
          </span>
        </Button>
      </IntentForm>
    </Notice>
  )
}
