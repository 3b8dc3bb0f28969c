import { Plural } from '@lingui/react/macro'
import type { Plan } from '#contract/plans.ts'
import { langOf } from '~/platform/i18n/locales'
import { Icon } from '~/ui/icon'
import styles from './plan-benefits.module.css'
import { PlanScope } from './plan-scope'

/** What one has of a plan: what it opens, on how many screens, and what else the store says of it. */
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
