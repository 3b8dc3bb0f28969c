import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { planId } from '#contract/ids.ts'
import { storeText } from '~/platform/i18n/store-text'
import { Button } from '~/ui/button'
import { RadioGroup } from '~/ui/radio-group'
import { SectionHeading } from '~/ui/section-heading'
import { plansQuery } from '../plans.queries'
import { usePlanWords } from '../use-plan-words'
import styles from './plan-payment-page.module.css'

/** Which plan to pay for. A real form: its choice is the next page's address. */
export function PlanChoicePage() {
  const { t } = useLingui()
  const words = usePlanWords()
  const navigate = useNavigate()
  const { items } = useSuspenseQuery(plansQuery).data
  const first = items.find(({ recommended }) => recommended) ?? items[0]
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const chosen = planId.safeParse(new FormData(event.currentTarget).get('plan'))
    if (chosen.success) void navigate({ to: '/plans/$id/payment', params: { id: chosen.data } })
  }
  return (
    <div className={styles.page}>
      <SectionHeading level="h1" title={<Trans>Choose your plan</Trans>} />
      <form method="get" action="/plans/payment" className={styles.form} onSubmit={submit}>
        <RadioGroup
          cards
          required
          name="plan"
          legend={t`Plans`}
          defaultValue={first?.id}
          options={items.map((plan) => ({
            value: plan.id,
            label: storeText(plan, 'name'),
            hint:
              plan.trialAvailable && plan.trialDays > 0
                ? t`${words.trial(plan.trialDays)}. ${words.renewal(plan.price, plan.cycle)}`
                : words.renewal(plan.price, plan.cycle),
            end: words.price(plan.price, plan.cycle),
          }))}
        />
        <Button type="submit" variant="primary" size="l" full iconEnd="arrow-end">
          <Trans>Continue</Trans>
        </Button>
      </form>
    </div>
  )
}
