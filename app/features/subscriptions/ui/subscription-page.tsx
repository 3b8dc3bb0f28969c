import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Subscription, SubscriptionAnswer } from '#contract/subscriptions.ts'
import { Refusal } from '~/parts/refusal'
import { useFormat } from '~/platform/format/use-format'
import { Button } from '~/ui/button'
import { Card } from '~/ui/card'
import { Badge } from '~/ui/chip'
import { EmptyState } from '~/ui/empty-state'
import { Notice } from '~/ui/notice'
import { SectionHeading } from '~/ui/section-heading'
import type { SubscriptionSearch } from '../plans.search'
import { subscriptionQuery } from '../subscription.functions'
import { outcomeMessages, subscribeProblem } from '../subscription-labels'
import { type SubscriptionMutations, useSubscriptionMutations } from './subscription-mutations'
import styles from './subscription-page.module.css'
import { CancelPanel, ChangePanel } from './subscription-panels'
import { SubscriptionFacts, SubscriptionNotices } from './subscription-status'

interface Props {
  idempotencyKey: string
  search: SubscriptionSearch
}

/** The member's subscription: status, next charge and card, and the ways to change or cancel it. */
export function SubscriptionPage({ idempotencyKey, search }: Props) {
  const { i18n } = useLingui()
  const { regular, partnership } = useSuspenseQuery(subscriptionQuery).data
  const mutations = useSubscriptionMutations(idempotencyKey)
  const problem = mutations.problem ?? search.problem
  return (
    <div className={styles.page}>
      <SectionHeading
        level="h1"
        title={<Trans>Subscription</Trans>}
        action={
          <Button size="s" variant="ghost" iconEnd="chevron-end" render={<Link to="/mypages/subscription/histories" />}>
            <Trans>Billing history</Trans>
          </Button>
        }
      />
      {problem && (
        <Notice tone="danger" urgent>
          <Refusal code={problem} message={subscribeProblem(problem)} />{' '}
          {(problem === 'CARD_REFUSED' || problem === 'CARD_NEEDED') && (
            <Link className={styles.link} to="/mypages/cards">
              <Trans>Payment methods</Trans>
            </Link>
          )}
        </Notice>
      )}
      {!problem && search.done && <Notice tone="success">{i18n._(outcomeMessages[search.done])}</Notice>}
      {partnership && <Partnership partnership={partnership} />}
      {regular ? (
        <>
          <SubscriptionNotices subscription={regular} mutations={mutations} />
          <SubscriptionFacts subscription={regular} />
          <NextStep subscription={regular} search={search} mutations={mutations} />
        </>
      ) : (
        !partnership && <NoPlan />
      )}
    </div>
  )
}

interface NextStepProps {
  subscription: Subscription
  search: SubscriptionSearch
  mutations: SubscriptionMutations
}

/** The open panel, or the buttons that open one. */
function NextStep({ subscription, search: { step, plan }, mutations }: NextStepProps) {
  const { overdue, cancelAt, paused, status } = subscription
  // A cancellation is undone in its notice; an unpaid plan can only be waited for.
  if (cancelAt || (status === 'PENDING' && !overdue)) return null
  if (step === 'cancel') return <CancelPanel subscription={subscription} mutations={mutations} />
  const mayChange = !overdue && !paused
  if (step === 'change' && mayChange)
    return <ChangePanel subscription={subscription} plan={plan} mutations={mutations} />
  return (
    <div className={styles.actions}>
      {mayChange && (
        <Button render={<Link to="/mypages/subscription" search={{ step: 'change' }} resetScroll={false} />}>
          <Trans>Change plan</Trans>
        </Button>
      )}
      <Button
        variant="ghost"
        render={<Link to="/mypages/subscription" search={{ step: 'cancel' }} resetScroll={false} />}
      >
        <Trans>Cancel plan</Trans>
      </Button>
    </div>
  )
}

function NoPlan() {
  return (
    <EmptyState
      icon="sparkle"
      title={<Trans>You don’t have a plan yet.</Trans>}
      actions={
        <Button variant="primary" render={<Link to="/plans" />}>
          <Trans>View plans</Trans>
        </Button>
      }
    >
      <Trans>With a plan, you can watch every included title for one price. Cancel anytime.</Trans>
    </EmptyState>
  )
}

function Partnership({ partnership }: { partnership: NonNullable<SubscriptionAnswer['partnership']> }) {
  const format = useFormat()
  return (
    <Card className={styles.partnership}>
      <div className={styles.top}>
        <h2 className={styles.name} dir="auto">
          {partnership.name ?? <Trans>Partnership</Trans>}
        </h2>
        <Badge tone="success" icon="check">
          <Trans>Partnership</Trans>
        </Badge>
      </div>
      <p className={styles.soft}>
        <Trans>You can watch every title included in a plan until {format.date(partnership.until)}, at no cost.</Trans>
      </p>
      <Button size="s" icon="play" render={<Link to="/plans/subscription-products" />}>
        <Trans>View included titles</Trans>
      </Button>
    </Card>
  )
}
