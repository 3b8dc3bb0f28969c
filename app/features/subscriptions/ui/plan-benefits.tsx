import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Plan } from '#contract/subscriptions.ts'
import { langOf } from '~/platform/i18n/locales'
import { storeText, storeTextList } from '~/platform/i18n/store-text'
import { Icon } from '~/ui/icon'
import styles from './plan-benefits.module.css'

/** A link to the products that a plan includes. */
function PlanScope({ plan }: { plan: Plan }) {
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

/** The benefits of a plan: its products, the number of screens, and the store's own list. */
export function PlanBenefits({ plan }: { plan: Plan }) {
  return (
    <ul className={styles.benefits}>
      <li>
        <Icon name="check" size="s" />
        <span>
          <PlanScope plan={plan} />
        </span>
      </li>
      <li>
        <Icon name="check" size="s" />
        <span>
          <Plural
            value={plan.streams}
            one="Watch on one screen at a time"
            other="Watch on # screens at the same time"
          />
        </span>
      </li>
      {plan.benefits.map((benefit) => (
        <li key={benefit}>
          <Icon name="check" size="s" />
          <span dir="auto" lang={langOf(plan, 'benefits')}>
            {benefit}
          </span>
        </li>
      ))}
    </ul>
  )
}
