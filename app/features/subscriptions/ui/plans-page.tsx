import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type PlanCycle, planCycle } from '#contract/enumerations.ts'
import { useMe } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { Notice } from '~/ui/notice'
import { plansQuery } from '../plans.functions'
import { PlanCard } from './plan-card'
import styles from './plans-page.module.css'

/** Compares the plans of one billing period. */
export function PlansPage({ cycle: requested }: { cycle: PlanCycle | undefined }) {
  const { t } = useLingui()
  const member = useMe()
  const { items } = useSuspenseQuery(plansQuery).data
  const cycles = planCycle.options.filter((cycle) => items.some((plan) => plan.cycle === cycle))
  const currentPlan = items.find(({ relation }) => relation === 'CURRENT')
  const cycle = cycles.find((option) => option === requested) ?? currentPlan?.cycle ?? cycles[0]
  const shown = items.filter((plan) => plan.cycle === cycle)
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.title} tabIndex={-1}>
          <Trans>Choose your plan</Trans>
        </h1>
        <p className={styles.lead}>
          <Trans>Watch every title in a plan for one price. Cancel anytime in two clicks.</Trans>
        </p>
        {cycles.length > 1 && (
          <nav className={styles.cycles} aria-label={t`Billing period`}>
            {cycles.map((option) => (
              <Link
                key={option}
                to="/plans"
                search={{ cycle: option }}
                resetScroll={false}
                replace
                className={styles.cycle}
                aria-current={option === cycle ? 'true' : undefined}
              >
                {option === 'MONTH' ? <Trans>Monthly</Trans> : <Trans>Yearly</Trans>}
              </Link>
            ))}
          </nav>
        )}
      </header>
      {member?.usePlan.partnership && (
        <Notice tone="success">
          <Trans>Your partnership already lets you watch at no cost.</Trans>{' '}
          <Link className={styles.link} to="/mypages/subscription">
            <Trans>View your plan</Trans>
          </Link>
        </Notice>
      )}
      {shown.length === 0 ? (
        <EmptyState
          icon="sparkle"
          title={t`No plans are available right now.`}
          actions={
            <Button variant="primary" render={<Link to="/products" />}>
              <Trans>Browse the store</Trans>
            </Button>
          }
        >
          <Trans>Check back later. New plans will appear here.</Trans>
        </EmptyState>
      ) : (
        <ul className={styles.plans}>
          {shown.map((plan) => (
            <li key={plan.id} className={styles.plan}>
              <PlanCard plan={plan} plans={items} />
            </li>
          ))}
        </ul>
      )}
      {shown.length > 0 && <PlanTerms />}
    </div>
  )
}

/** The terms that apply to every plan. */
function PlanTerms() {
  return (
    <section className={styles.terms} aria-labelledby="terms">
      <h2 id="terms" className={styles.termsTitle}>
        <Trans>Before you subscribe</Trans>
      </h2>
      <dl className={styles.points}>
        <div>
          <dt>
            <Trans>Automatic renewal</Trans>
          </dt>
          <dd>
            <Trans>
              Your card is charged at the start of each period. Subscription shows your next payment date and amount.
            </Trans>
          </dd>
        </div>
        <div>
          <dt>
            <Trans>Cancel anytime</Trans>
          </dt>
          <dd>
            <Trans>
              You can watch until your paid period ends, and undo the cancellation until then. You won’t be charged
              again.
            </Trans>
          </dd>
        </div>
        <div>
          <dt>
            <Trans>Switching plans</Trans>
          </dt>
          <dd>
            <Trans>
              Upgrades start right away, with credit for the rest of your period. Downgrades start at your next renewal.
              You see the amount before you agree.
            </Trans>
          </dd>
        </div>
      </dl>
    </section>
  )
}
