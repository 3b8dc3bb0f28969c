import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type PlanCycle, planCycle } from '#contract/enumerations.ts'
import { useMe } from '~/platform/shell/shell.queries'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { Notice } from '~/ui/notice'
import { plansQuery } from '../plans.queries'
import { PlanCard } from './plan-card'
import styles from './plans-page.module.css'

/** The plans beside each other: what each costs, what it opens, on which terms. */
export function PlansPage({ cycle: asked }: { cycle: PlanCycle | undefined }) {
  const { t } = useLingui()
  const member = useMe()
  const { items } = useSuspenseQuery(plansQuery).data
  const cycles = planCycle.options.filter((cycle) => items.some((plan) => plan.cycle === cycle))
  const mine = items.find(({ standing }) => standing === 'CURRENT')
  const cycle = cycles.find((one) => one === asked) ?? mine?.cycle ?? cycles[0]
  const shown = items.filter((plan) => plan.cycle === cycle)
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.title} tabIndex={-1}>
          <Trans>Choose your plan</Trans>
        </h1>
        <p className={styles.lead}>
          <Trans>One price for everything a plan opens. Cancel whenever you like, in two clicks.</Trans>
        </p>
        {cycles.length > 1 && (
          <nav className={styles.cycles} aria-label={t`How often you pay`}>
            {cycles.map((one) => (
              <Link
                key={one}
                to="/plans"
                search={{ cycle: one }}
                resetScroll={false}
                replace
                className={styles.cycle}
                aria-current={one === cycle ? 'true' : undefined}
              >
                {one === 'MONTH' ? <Trans>By the month</Trans> : <Trans>By the year</Trans>}
              </Link>
            ))}
          </nav>
        )}
      </header>
      {member?.usePlan.partnership && (
        <Notice tone="success">
          <Trans>You watch by your partnership already, without paying.</Trans>{' '}
          <Link className={styles.link} to="/mypages/subscription">
            <Trans>See what you have</Trans>
          </Link>
        </Notice>
      )}
      {shown.length === 0 ? (
        <EmptyState
          icon="sparkle"
          title={t`There is no plan on sale at the moment.`}
          actions={
            <Button variant="primary" render={<Link to="/products" />}>
              <Trans>Browse the store</Trans>
            </Button>
          }
        >
          <Trans>Come back later: new plans stand here as soon as they are offered.</Trans>
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

/** What holds for every plan. */
function PlanTerms() {
  return (
    <section className={styles.terms} aria-labelledby="terms">
      <h2 id="terms" className={styles.termsTitle}>
        <Trans>What to know before you begin</Trans>
      </h2>
      <dl className={styles.points}>
        <div>
          <dt>
            <Trans>It renews by itself</Trans>
          </dt>
          <dd>
            <Trans>
              Your card is charged at the beginning of each period. The next date and amount always stand under “Your
              subscription”.
            </Trans>
          </dd>
        </div>
        <div>
          <dt>
            <Trans>Cancel at any time</Trans>
          </dt>
          <dd>
            <Trans>
              You keep watching until the end of what is paid, nothing is charged after that, and until then you can
              change your mind.
            </Trans>
          </dd>
        </div>
        <div>
          <dt>
            <Trans>Change plans</Trans>
          </dt>
          <dd>
            <Trans>
              Up at once, less what is left of your period. Down with the next renewal. You see the amount before you
              agree.
            </Trans>
          </dd>
        </div>
      </dl>
    </section>
  )
}
