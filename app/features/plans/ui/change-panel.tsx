import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PlanId } from '#contract/ids.ts'
import type { Subscription } from '#contract/plans.ts'
import { storeText } from '~/platform/i18n/store-text'
import { Button } from '~/ui/button'
import { usePanelFocus } from '~/ui/use-panel-focus'
import { plansQuery } from '../plans.queries'
import { inTrial } from '../subscription-words'
import { usePlanWords } from '../use-plan-words'
import type { SubscriptionWrites } from '../use-subscription-writes'
import { QuotePanel } from './quote-panel'
import styles from './subscription-page.module.css'

interface Props {
  subscription: Subscription
  /** The plan that was chosen, if one was. */
  plan: PlanId | undefined
  writes: SubscriptionWrites
}

/** The other plans, then what a change to one of them costs. */
export function ChangePanel({ subscription, plan: chosen, writes }: Props) {
  const { t } = useLingui()
  const words = usePlanWords()
  const title = usePanelFocus<HTMLHeadingElement>(chosen)
  const { items } = useSuspenseQuery(plansQuery).data
  const others = items.filter(({ id }) => id !== subscription.plan.id && id !== subscription.nextPlan?.id)
  const plan = others.find(({ id }) => id === chosen)
  return (
    <section className={styles.panel} aria-labelledby="change">
      <h2 ref={title} id="change" className={styles.panelTitle} tabIndex={-1}>
        {plan ? <Trans>Switch to {storeText(plan, 'name')}?</Trans> : <Trans>Switch to another plan</Trans>}
      </h2>
      {plan ? (
        <QuotePanel key={plan.id} plan={plan} trial={inTrial(subscription)} writes={writes} />
      ) : others.length === 0 ? (
        <p className={styles.soft}>
          <Trans>No other plans are available right now.</Trans>
        </p>
      ) : (
        <ul className={styles.choices}>
          {others.map((other) => (
            <li key={other.id} className={styles.choice}>
              <div>
                <p className={styles.choiceName}>{storeText(other, 'name')}</p>
                <p className={styles.soft}>
                  {words.price(other.price, other.cycle)}
                  {other.summary && (
                    <>
                      <br />
                      {storeText(other, 'summary')}
                    </>
                  )}
                </p>
              </div>
              <Button
                size="s"
                render={
                  <Link
                    to="/mypages/subscription"
                    search={{ step: 'change', plan: other.id }}
                    preload={false}
                    resetScroll={false}
                    aria-label={
                      other.standing === 'DOWNGRADE' ? t`Change at renewal: ${other.name}` : t`Upgrade: ${other.name}`
                    }
                  />
                }
              >
                {other.standing === 'DOWNGRADE' ? <Trans>Change at renewal</Trans> : <Trans>Upgrade</Trans>}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {!plan && (
        <div className={styles.actions}>
          <Button variant="ghost" render={<Link to="/mypages/subscription" resetScroll={false} />}>
            <Trans>Keep my plan</Trans>
          </Button>
        </div>
      )}
    </section>
  )
}
