import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Plan } from '#contract/plans.ts'
import { useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { DescriptionList } from '~/ui/description-list'
import { SectionHeading } from '~/ui/section-heading'
import { planQuery } from '../plans.queries'
import { usePlanWords } from '../use-plan-words'
import { PlanBenefits } from './plan-benefits'
import styles from './plan-payment-page.module.css'
import { SubscribeForm } from './subscribe-form'

interface Props {
  /** The plan's id or code, as the address has it. */
  planKey: string
  attempt: string
  /** Why a form post was refused, by its code. */
  problem: string | undefined
}

/** One column: the plan, what is charged when, the card, the consent, and the button with the amount. */
export function PlanPaymentPage({ planKey, attempt, problem }: Props) {
  const { data: plan } = useSuspenseQuery(planQuery(planKey))
  return (
    <div className={styles.page}>
      <SectionHeading level="h1" title={<Trans>Subscribe to {storeText(plan, 'name')}</Trans>} />
      <PlanSummary plan={plan} />
      <Charges plan={plan} />
      <SubscribeForm key={plan.id} plan={plan} attempt={attempt} problem={problem} />
    </div>
  )
}

function PlanSummary({ plan }: { plan: Plan }) {
  const words = usePlanWords()
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
      <p className={styles.soft}>{words.price(plan.price, plan.cycle)}</p>
      <PlanBenefits plan={plan} />
    </section>
  )
}

/** Every amount with its day, before anything is agreed to. */
function Charges({ plan }: { plan: Plan }) {
  const format = useFormat()
  const { firstChargeAt, nextChargeAt } = plan.begun
  const trial = plan.trialAvailable && plan.trialDays > 0
  const price = format.money(plan.price)
  const nothing = format.money({ ...plan.price, amount: 0 })
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
          { key: 'today', term: <Trans>Today</Trans>, value: trial ? nothing : price, total: true },
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
