import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { PlanCycle } from '#contract/enumerations.ts'
import type { Money } from '#contract/money.ts'
import { useFormat } from '~/platform/format/use-format'

/** Labels of a plan's price, trial and renewal, the same on every page. */
export function usePlanLabels() {
  const { t } = useLingui()
  const format = useFormat()
  return {
    /** ₩9,900 a month */
    price: (price: Money, cycle: PlanCycle) => {
      const amount = format.money(price)
      return cycle === 'MONTH' ? t`${amount} a month` : t`${amount} a year`
    },
    per: (cycle: PlanCycle) => (cycle === 'MONTH' ? t`per month` : t`per year`),
    trial: (days: number) => t`${plural(days, { one: '# day free', other: '# days free' })}`,
    renewal: (price: Money, cycle: PlanCycle) => {
      const amount = format.money(price)
      return cycle === 'MONTH'
        ? t`Renews monthly at ${amount} until you cancel.`
        : t`Renews yearly at ${amount} until you cancel.`
    },
  }
}
