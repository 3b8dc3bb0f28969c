import { Plural, Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Plan } from '#contract/plans.ts'
import styles from './plan-benefits.module.css'

/** What a plan opens, as a link to it. */
export function PlanScope({ plan }: { plan: Plan }) {
  const count = <Plural value={plan.productCount} one="# title" other="# titles" />
  const names = plan.categories.map(({ name }) => name).join(', ')
  return (
    <Link className={styles.link} to="/plans/$id/products" params={{ id: plan.id }}>
      {plan.scope === 'ALL' ? (
        <Trans>All plan titles: {count}</Trans>
      ) : plan.scope === 'CATEGORIES' ? (
        <Trans>
          Everything in {names}: {count}
        </Trans>
      ) : (
        <Trans>Curated collection: {count}</Trans>
      )}
    </Link>
  )
}
