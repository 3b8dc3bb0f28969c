import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { SubscriptionId } from '#contract/ids.ts'
import type { Subscription } from '#contract/subscriptions.ts'
import { PaymentConfirming, PaymentNotConfirmed, PaymentPending } from '~/parts/payment-result'
import { usePaymentFailure } from '~/parts/refusal'
import { problemOf } from '~/platform/api/problem'
import { useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { Button } from '~/ui/button'
import { Card, DescriptionList } from '~/ui/card'
import { EmptyState } from '~/ui/empty-state'
import { Outcome } from '~/ui/notice'
import { usePlanLabels } from '../plans.functions'
import { hasStoppedPolling, planResultQuery, refreshSubscription } from '../subscription.functions'
import styles from './plan-result-page.module.css'

interface Props {
  subscription: SubscriptionId | undefined
  /** The chosen plan, where the address names it. */
  plan?: string | undefined
}

/** The page that the payment provider returns to. */
export function PlanResultPage({ subscription, plan }: Props) {
  return subscription ? <PlanResult id={subscription} plan={plan} /> : <NoPayment />
}

function PlanResult({ id, plan }: { id: SubscriptionId; plan: string | undefined }) {
  const queryClient = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery(planResultQuery(id))
  const answers = queryClient.getQueryState(planResultQuery(id).queryKey)?.dataUpdateCount ?? 0
  const active = data?.result === 'ACTIVE'
  useEffect(() => {
    if (active) void refreshSubscription(queryClient)
  }, [active, queryClient])

  if (!data && error) return <NotConfirmed error={error} onRetry={() => void refetch()} pending={isFetching} />
  if (!data) return <PaymentPending />
  return (
    <div className={styles.page} aria-live="polite">
      {data.result === 'ACTIVE' ? (
        data.subscription ? (
          <Started subscription={data.subscription} />
        ) : (
          <SubscriptionEnded />
        )
      ) : data.result === 'FAILED' ? (
        <Failed failure={data.failure} plan={data.subscription?.plan.id ?? plan} />
      ) : hasStoppedPolling(answers) ? (
        <StillWaiting pending={isFetching} onAsk={() => void refetch()} />
      ) : (
        <PaymentConfirming />
      )}
    </div>
  )
}

function Started({ subscription }: { subscription: Subscription }) {
  const { t } = useLingui()
  const format = useFormat()
  const planLabels = usePlanLabels()
  const { plan, nextCharge, trialEndsAt } = subscription
  const rows = [
    { key: 'plan', term: t`Plan`, value: storeText(plan, 'name') },
    { key: 'price', term: t`Price`, value: planLabels.price(subscription.price, subscription.cycle) },
    ...(nextCharge
      ? [
          {
            key: 'next',
            term: trialEndsAt ? t`First payment` : t`Next payment`,
            value: t`${format.money(nextCharge.amount)} on ${format.date(nextCharge.at)}`,
          },
        ]
      : []),
  ]
  return (
    <>
      <Outcome
        mark={{ icon: 'check' }}
        title={
          trialEndsAt ? <Trans>Your free trial has started. Enjoy!</Trans> : <Trans>You’re subscribed. Enjoy!</Trans>
        }
        actions={
          <>
            <Button variant="primary" size="l" icon="play" render={<Link to="/plans/subscription-products" />}>
              <Trans>Start watching</Trans>
            </Button>
            <Button size="l" render={<Link to="/mypages/subscription" />}>
              <Trans>View subscription</Trans>
            </Button>
          </>
        }
      >
        {trialEndsAt ? (
          <Trans>You haven’t been charged. Cancel before {format.date(trialEndsAt)} and you won’t pay anything.</Trans>
        ) : (
          <Trans>You can now watch everything in {storeText(plan, 'name')}.</Trans>
        )}
      </Outcome>
      <Card className={styles.facts}>
        <DescriptionList amounts rows={rows} />
      </Card>
    </>
  )
}

function Failed({ failure, plan }: { failure: string | null; plan: string | undefined }) {
  const failureMessage = usePaymentFailure()
  return (
    <Outcome
      mark={{ icon: 'card', failed: true }}
      title={<Trans>Your subscription didn’t start.</Trans>}
      reason={failureMessage(failure)}
      actions={
        <>
          <Button
            variant="primary"
            size="l"
            icon="card"
            render={plan ? <Link to="/plans/$id/payment" params={{ id: plan }} /> : <Link to="/plans/payment" />}
          >
            <Trans>Try another card</Trans>
          </Button>
          <Button size="l" render={<Link to="/plans" />}>
            <Trans>See all plans</Trans>
          </Button>
        </>
      }
    >
      <Trans>You haven’t been charged.</Trans>
    </Outcome>
  )
}

function StillWaiting({ pending, onAsk }: { pending: boolean; onAsk: () => void }) {
  return (
    <EmptyState
      icon="clock"
      headingLevel="h1"
      title={<Trans>We’re still confirming your payment.</Trans>}
      actions={
        <>
          <Button variant="primary" icon="retry" loading={pending} onClick={onAsk}>
            <Trans>Check again</Trans>
          </Button>
          <Button render={<Link to="/mypages/subscription" />}>
            <Trans>View subscription</Trans>
          </Button>
        </>
      }
    >
      <Trans>
        Some banks take a while. You can leave this page. Your plan starts as soon as the payment is confirmed. Please
        don’t subscribe again.
      </Trans>
    </EmptyState>
  )
}

/** The subscription began and has ended since. */
function SubscriptionEnded() {
  return (
    <EmptyState
      icon="clock"
      headingLevel="h1"
      title={<Trans>This subscription has ended.</Trans>}
      actions={
        <Button variant="primary" render={<Link to="/plans" />}>
          <Trans>See all plans</Trans>
        </Button>
      }
    />
  )
}

function NoPayment() {
  return (
    <div className={styles.page}>
      <EmptyState
        icon="receipt"
        headingLevel="h1"
        title={<Trans>There’s no payment to show.</Trans>}
        actions={
          <Button variant="primary" render={<Link to="/mypages/subscription" />}>
            <Trans>View subscription</Trans>
          </Button>
        }
      >
        <Trans>Your subscription appears under Subscription.</Trans>
      </EmptyState>
    </div>
  )
}

function NotConfirmed({ error, onRetry, pending }: { error: Error; onRetry: () => void; pending: boolean }) {
  if (problemOf(error)?.status === 404) return <NoPayment />
  const next = { link: <Link to="/mypages/subscription" />, label: <Trans>View subscription</Trans> }
  return (
    <div className={styles.page}>
      <PaymentNotConfirmed error={error} onRetry={onRetry} pending={pending} next={next}>
        <Trans>If your payment went through, it appears under Subscription. You’re never charged twice.</Trans>
      </PaymentNotConfirmed>
    </div>
  )
}
