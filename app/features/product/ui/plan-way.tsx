import { Plural, Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Product } from '#contract/catalog.ts'
import { usePlanLabels } from '~/features/plans/use-plan-labels'
import { storeText } from '~/platform/i18n/store-text'
import { useMe } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import styles from './buy-panel.module.css'

interface Props {
  product: Product
  /** Below the ways to buy it, not in their place. */
  beside?: boolean
}

/** The plans that open a product, and the way to the cheapest of them. */
export function PlanWay({ product, beside = false }: Props) {
  const words = usePlanLabels()
  const member = useMe()
  // By the month where there is a choice: the smaller step, whichever is the better bargain.
  const plan = product.plans.find(({ cycle }) => cycle === 'MONTH') ?? product.plans[0]
  const others = product.plans.length - 1
  if (!plan) {
    return beside ? null : (
      <p className={styles.quiet}>
        <Trans>This title comes with a plan, but no plan currently on sale includes it.</Trans>
      </p>
    )
  }
  const price = words.price(plan.price, plan.cycle)
  const changes = member?.usePlan.regular
  return (
    <div className={beside ? styles.beside : styles.form}>
      <p className={beside ? styles.or : styles.lead}>
        {beside ? <Trans>Or watch it with a plan</Trans> : <Trans>Included in {storeText(plan, 'name')}</Trans>}
      </p>
      {!beside && (
        <p className={styles.quiet}>
          <Trans>This title isn’t sold separately. Get a plan to watch it and everything else in the plan.</Trans>
        </p>
      )}
      <Button
        variant={beside ? 'secondary' : 'primary'}
        size="l"
        full
        icon="sparkle"
        render={
          changes ? (
            <Link to="/mypages/subscription" search={{ step: 'change', plan: plan.id }} preload={false} />
          ) : (
            <Link to="/plans/$id/payment" params={{ id: plan.id }} />
          )
        }
      >
        {/* One item of the button's row, so that the name and the comma stay together. */}
        <span>
          <Trans>
            {storeText(plan, 'name')}, {price}
          </Trans>
        </span>
      </Button>
      <p className={styles.note}>
        <Link className={styles.link} to="/plans/$id/products" params={{ id: plan.id }}>
          <Trans>See what’s included</Trans>
        </Link>
        {others > 0 && (
          <Link className={styles.link} to="/plans">
            <Plural value={others} one="Also in # other plan" other="Also in # other plans" />
          </Link>
        )}
      </p>
    </div>
  )
}
