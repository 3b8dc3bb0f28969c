import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Subscription, SubscriptionAnswer } from '#contract/subscriptions.ts'
import { useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { Button } from '~/ui/button'
import { Card } from '~/ui/card'
import { Badge } from '~/ui/chip'
import { subscriptionQuery } from '../subscription.functions'
import { statusLabel } from '../subscription-labels'
import styles from './plan-at-a-glance.module.css'

/** A card with the member's plan and what happens next. Renders nothing without a plan. */
export function PlanAtAGlance() {
  const { regular, partnership } = useSuspenseQuery(subscriptionQuery).data
  if (!regular && !partnership) return null
  return (
    <Card className={styles.glance}>
      <div className={styles.words}>
        {regular ? <Paid subscription={regular} /> : partnership && <Granted {...partnership} />}
      </div>
      <Button iconEnd="chevron-end" render={<Link to="/mypages/subscription" />}>
        <Trans>Subscription</Trans>
      </Button>
    </Card>
  )
}

function Paid({ subscription }: { subscription: Subscription }) {
  const { i18n } = useLingui()
  const status = statusLabel(subscription)
  return (
    <>
      <div className={styles.top}>
        <h2 className={styles.name} dir="auto">
          {storeText(subscription.plan, 'name')}
        </h2>
        <Badge tone={status.tone}>{i18n._(status.label)}</Badge>
      </div>
      <p className={styles.soft}>
        <Outlook subscription={subscription} />
      </p>
    </>
  )
}

/** The most important fact: an overdue payment, the end, or the next charge. */
function Outlook({ subscription: { overdue, status, cancelAt, paused, nextCharge } }: { subscription: Subscription }) {
  const format = useFormat()
  if (overdue)
    return (
      <>
        <Trans>Your last renewal payment failed.</Trans>{' '}
        {overdue.graceUntil && <Trans>You can keep watching until {format.dateTime(overdue.graceUntil)}.</Trans>}
      </>
    )
  if (status === 'PENDING')
    return <Trans>Your first payment is still being confirmed. Your plan starts as soon as it’s confirmed.</Trans>
  if (cancelAt) return <Trans>Your plan ends on {format.date(cancelAt)}. You won’t be charged again.</Trans>
  if (paused)
    return paused.resumeAt ? (
      <Trans>Paused until {format.date(paused.resumeAt)}.</Trans>
    ) : (
      <Trans>Paused. You won’t be charged.</Trans>
    )
  if (!nextCharge) return <Trans>You won’t be charged again.</Trans>
  return (
    <Trans>
      Next payment: {format.money(nextCharge.amount)} on {format.date(nextCharge.at)}
    </Trans>
  )
}

function Granted({ name, until }: NonNullable<SubscriptionAnswer['partnership']>) {
  const format = useFormat()
  return (
    <>
      <div className={styles.top}>
        <h2 className={styles.name} dir="auto">
          {name ?? <Trans>Partnership</Trans>}
        </h2>
        <Badge tone="success" icon="check">
          <Trans>Partnership</Trans>
        </Badge>
      </div>
      <p className={styles.soft}>
        <Trans>You can watch every title included in a plan until {format.date(until)}, at no cost.</Trans>
      </p>
    </>
  )
}
