import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Subscription } from '#contract/subscriptions.ts'
import { useCardLabels } from '~/features/billing/cards.functions'
import { usePaymentFailure } from '~/parts/refusal'
import { useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { Button } from '~/ui/button'
import { Card, DescriptionList } from '~/ui/card'
import { Badge } from '~/ui/chip'
import { Notice } from '~/ui/notice'
import { usePlanLabels } from '../plans.functions'
import { inTrial, statusLabel } from '../subscription-labels'
import { IntentForm, type SubscriptionMutations } from './subscription-mutations'
import styles from './subscription-page.module.css'

interface Props {
  subscription: Subscription
  mutations: SubscriptionMutations
}

/** Notices for a subscription that is unpaid, overdue, ending or about to change. */
export function SubscriptionNotices({ subscription, mutations }: Props) {
  return (
    <>
      {subscription.status === 'PENDING' && !subscription.overdue && <FirstCharge subscription={subscription} />}
      {subscription.overdue && <Overdue overdue={subscription.overdue} mutations={mutations} />}
      {subscription.paused && !subscription.cancelAt && (
        <Paused subscription={subscription} paused={subscription.paused} mutations={mutations} />
      )}
      {subscription.cancelAt && <Ending at={subscription.cancelAt} mutations={mutations} />}
      {subscription.nextPlan && <Changing subscription={subscription} mutations={mutations} />}
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

function Overdue({
  overdue,
  mutations,
}: {
  overdue: NonNullable<Subscription['overdue']>
  mutations: SubscriptionMutations
}) {
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
          fields={{ idempotencyKey: mutations.idempotencyKey }}
          onSend={() => mutations.mutate({ intent: 'retry' })}
        >
          <Button type="submit" size="s" variant="primary" icon="retry" loading={mutations.pending === 'retry'}>
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

interface PausedProps extends Props {
  paused: NonNullable<Subscription['paused']>
}

function Paused({ subscription: { price, nextPlan }, paused: { resumeAt, accessUntil }, mutations }: PausedProps) {
  const format = useFormat()
  return (
    <Notice tone="warning">
      <p className={styles.strong}>
        {resumeAt ? (
          <Trans>Your plan is paused until {format.date(resumeAt)}.</Trans>
        ) : (
          <Trans>Your plan is paused.</Trans>
        )}
      </p>
      <p>
        {accessUntil ? (
          <Trans>You can keep watching until {format.dateTime(accessUntil)}.</Trans>
        ) : (
          <Trans>You can’t watch the titles in this plan for now.</Trans>
        )}{' '}
        {resumeAt ? (
          <Trans>You won’t be charged until your plan resumes.</Trans>
        ) : (
          <Trans>You won’t be charged until you resume it.</Trans>
        )}{' '}
        {!accessUntil && !nextPlan && (
          <Trans>When you resume, a new period starts and {format.money(price)} is charged to your card.</Trans>
        )}
      </p>
      <IntentForm
        intent="unpause"
        fields={{ idempotencyKey: mutations.idempotencyKey }}
        className={styles.noticeActions}
        onSend={() => mutations.mutate({ intent: 'unpause' })}
      >
        <Button type="submit" size="s" loading={mutations.pending === 'unpause'}>
          <Trans>Resume now</Trans>
        </Button>
      </IntentForm>
    </Notice>
  )
}

function Ending({ at, mutations }: { at: string; mutations: SubscriptionMutations }) {
  const format = useFormat()
  return (
    <Notice tone="warning">
      <p>
        <Trans>
          Your plan ends on {format.date(at)}. You can keep watching until then, and you won’t be charged again. To
          switch to another plan, keep this one first.
        </Trans>
      </p>
      <IntentForm
        intent="resume"
        className={styles.noticeActions}
        onSend={() => mutations.mutate({ intent: 'resume' })}
      >
        <Button type="submit" size="s" loading={mutations.pending === 'resume'}>
          <Trans>Keep my plan</Trans>
        </Button>
      </IntentForm>
    </Notice>
  )
}

function Changing({ subscription, mutations }: Props) {
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
        fields={{ idempotencyKey: mutations.idempotencyKey, planId: plan.id }}
        className={styles.noticeActions}
        onSend={() => mutations.mutate({ intent: 'change', planId: plan.id })}
      >
        <Button type="submit" size="s" loading={mutations.pending === 'change'}>
          <span>
            <Trans>Keep {storeText(plan, 'name')}</Trans>
          </span>
        </Button>
      </IntentForm>
    </Notice>
  )
}

/** The subscription's plan, next charge and card. */
export function SubscriptionFacts({ subscription }: { subscription: Subscription }) {
  const { t, i18n } = useLingui()
  const format = useFormat()
  const planLabels = usePlanLabels()
  const cardLabels = useCardLabels()
  const { plan, nextCharge, paused, card, periodStart, periodEnd, startedAt, trialEndsAt } = subscription
  const status = statusLabel(subscription)
  const rows = [
    { key: 'price', term: t`Price`, value: planLabels.price(subscription.price, subscription.cycle) },
    {
      key: 'next',
      term: t`Next payment`,
      value: nextCharge ? (
        <strong>
          <Trans>
            {format.money(nextCharge.amount)} on {format.date(nextCharge.at)}
          </Trans>
        </strong>
      ) : paused ? (
        t`None while your plan is paused`
      ) : (
        t`You won’t be charged again.`
      ),
    },
    ...(trialEndsAt && inTrial(subscription)
      ? [{ key: 'trial', term: t`Free until`, value: format.date(trialEndsAt) }]
      : periodStart && periodEnd
        ? [
            {
              key: 'period',
              term: t({ message: 'Paid for', context: 'a period' }),
              value: t`${format.date(periodStart)} to ${format.date(periodEnd)}`,
            },
          ]
        : []),
    ...(startedAt ? [{ key: 'since', term: t`Subscriber since`, value: format.date(startedAt) }] : []),
    {
      key: 'card',
      term: t`Card`,
      value: (
        <span className={styles.cardLine}>
          {card ? cardLabels.spoken(card) : t`No card`}
          {card && card.expiry !== 'GOOD' && (
            <Badge tone={card.expiry === 'PAST' ? 'danger' : 'warning'} icon="warning">
              {card.expiry === 'PAST' ? t`Expired` : t`Expires soon`}
            </Badge>
          )}
          <Link className={styles.link} to="/mypages/cards">
            <Trans>Change</Trans>
          </Link>
        </span>
      ),
    },
  ]
  return (
    <Card className={styles.facts}>
      <div className={styles.top}>
        <h2 className={styles.name} dir="auto">
          {storeText(plan, 'name')}
        </h2>
        <Badge tone={status.tone}>{i18n._(status.label)}</Badge>
      </div>
      <DescriptionList rows={rows} />
      <Button size="s" icon="play" render={<Link to="/plans/subscription-products" />}>
        <Plural value={plan.productCount} one="View # included title" other="View # included titles" />
      </Button>
    </Card>
  )
}
