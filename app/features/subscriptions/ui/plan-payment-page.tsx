import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { planId } from '#contract/ids.ts'
import type { Plan } from '#contract/subscriptions.ts'
import { useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { Button } from '~/ui/button'
import { DescriptionList } from '~/ui/card'
import { RadioGroup } from '~/ui/choice'
import { SectionHeading } from '~/ui/section-heading'
import { planQuery, plansQuery, trialDaysOf, usePlanLabels } from '../plans.functions'
import { PlanBenefits } from './plan-benefits'
import styles from './plan-payment-page.module.css'
import { SubscribeForm } from './subscribe-form'

interface Props {
  /** The plan's id or code from the address. */
  planKey: string
  idempotencyKey: string
  /** The code of the problem of a form post. */
  problem: string | undefined
}

/** The payment page of a plan: summary, payment schedule, card, consent and the pay button. */
export function PlanPaymentPage({ planKey, idempotencyKey, problem }: Props) {
  const { data: plan } = useSuspenseQuery(planQuery(planKey))
  return (
    <div className={styles.page}>
      <SectionHeading level="h1" title={<Trans>Subscribe to {storeText(plan, 'name')}</Trans>} />
      <PlanSummary plan={plan} />
      <Charges plan={plan} />
      <SubscribeForm key={plan.id} plan={plan} idempotencyKey={idempotencyKey} problem={problem} />
    </div>
  )
}

function PlanSummary({ plan }: { plan: Plan }) {
  const planLabels = usePlanLabels()
  return (
    <section className={styles.summary} aria-labelledby="plan">
      <div className={styles.head}>
        <h2 id="plan" className={styles.heading} dir="auto">
          {storeText(plan, 'name')}
        </h2>
        <Link className={styles.change} to="/plans/payment">
          <Trans>Choose another plan</Trans>
        </Link>
      </div>
      <p className={styles.soft}>{planLabels.price(plan.price, plan.cycle)}</p>
      <PlanBenefits plan={plan} />
    </section>
  )
}

/** Every charge with its date, shown before the member agrees. */
function Charges({ plan }: { plan: Plan }) {
  const format = useFormat()
  const { firstChargeAt, nextChargeAt } = plan.ifStartedNow
  const trial = trialDaysOf(plan) > 0
  const price = format.money(plan.price)
  const zeroAmount = format.money({ ...plan.price, amount: 0 })
  const later = {
    key: 'next',
    term:
      plan.cycle === 'MONTH' ? (
        <Trans>Then monthly, next payment on {format.date(nextChargeAt)}</Trans>
      ) : (
        <Trans>Then yearly, next payment on {format.date(nextChargeAt)}</Trans>
      ),
    value: price,
  }
  return (
    <section className={styles.charges} aria-labelledby="charges">
      <h2 id="charges" className={styles.heading}>
        <Trans>Payment schedule</Trans>
      </h2>
      <DescriptionList
        amounts
        rows={[
          ...(trial
            ? [
                {
                  key: 'first',
                  term: <Trans>First payment on {format.date(firstChargeAt)}, when your free trial ends</Trans>,
                  value: price,
                },
              ]
            : []),
          later,
          { key: 'today', term: <Trans>Today</Trans>, value: trial ? zeroAmount : price, total: true },
        ]}
      />
      <p className={styles.small}>
        {trial ? (
          <Trans>Cancel before {format.date(firstChargeAt)} and you won’t be charged. Taxes included.</Trans>
        ) : (
          <Trans>Cancel anytime and keep watching until your paid period ends. Taxes included.</Trans>
        )}
      </p>
    </section>
  )
}

/** Lets the member choose a plan. Works as a GET form without JavaScript. */
export function PlanChoicePage() {
  const { t } = useLingui()
  const planLabels = usePlanLabels()
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
              trialDaysOf(plan) > 0
                ? t`${planLabels.trial(plan.trialDays)}. ${planLabels.renewal(plan.price, plan.cycle)}`
                : planLabels.renewal(plan.price, plan.cycle),
            end: planLabels.price(plan.price, plan.cycle),
          }))}
        />
        <Button type="submit" variant="primary" size="l" full iconEnd="arrow-end">
          <Trans>Continue</Trans>
        </Button>
      </form>
    </div>
  )
}
