import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Plan } from '#contract/plans.ts'
import { storeText, storeTextList } from '~/platform/i18n/store-text'
import styles from './plan-benefits.module.css'

/** What a plan opens, as a link to it. */
export function PlanScope({ plan }: { plan: Plan }) {
  const { i18n } = useLingui()
  const count = <Plural value={plan.productCount} one="# title" other="# titles" />
  const names = storeTextList(
    i18n.locale,
    plan.categories.map((category) => storeText(category, 'name')),
  )
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
