import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Plan } from '#contract/subscriptions.ts'
import { useFormat } from '~/platform/format/use-format'
import { langOf } from '~/platform/i18n/locales'
import { Button } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { Icon } from '~/ui/icon'
import { usePlanLabels } from '../plans.functions'
import { PlanBenefits } from './plan-benefits'
import styles from './plan-card.module.css'

const hasSameContent = (one: Plan, other: Plan) =>
  one.scope === other.scope &&
  one.streams === other.streams &&
  one.productCount === other.productCount &&
  one.price.currency === other.price.currency &&
  one.categories.length === other.categories.length &&
  one.categories.every(({ id }) => other.categories.some((category) => category.id === id))

/**
 * The plan of the other billing period with the same products and streams; undefined unless there
 * is exactly one.
 */
export const counterpartOf = (plan: Plan, plans: readonly Plan[]): Plan | undefined => {
  const otherCycles = plans.filter((other) => other.cycle !== plan.cycle && hasSameContent(plan, other))
  return otherCycles.length === 1 ? otherCycles[0] : undefined
}

/**
 * The share (0 to 1) that a yearly plan saves over twelve months of its monthly counterpart,
 * rounded down to a whole percent.
 */
export const yearlySaving = (plan: Plan, plans: readonly Plan[]): number => {
  const monthly = plan.cycle === 'YEAR' ? counterpartOf(plan, plans) : undefined
  if (!monthly) return 0
  const year = 12 * monthly.price.amount
  return Math.max(0, Math.floor(((year - plan.price.amount) * 100) / year)) / 100
}

/**
 * Whether a plan is the recommended one of its billing period: marked itself, or the counterpart of
 * the marked one.
 */
export const isRecommended = (plan: Plan, plans: readonly Plan[]): boolean => {
  const isMarked = plans.some((other) => other.cycle === plan.cycle && other.recommended)
  return isMarked ? plan.recommended : (counterpartOf(plan, plans)?.recommended ?? false)
}

/** One plan in the comparison. */
export function PlanCard({ plan, plans }: { plan: Plan; plans: readonly Plan[] }) {
  const format = useFormat()
  const planLabels = usePlanLabels()
  const current = plan.relation === 'CURRENT'
  const price = plan.agreedPrice ?? plan.price
  const recommended = isRecommended(plan, plans)
  const saving = format.percent(yearlySaving(plan, plans))
  return (
    <article className={styles.card} data-raised={recommended || current || undefined}>
      <div className={styles.top}>
        <h2 className={styles.name} dir="auto" lang={langOf(plan, 'name')}>
          {plan.name}
        </h2>
        {current ? (
          <Badge tone="success" icon="check">
            <Trans>Current plan</Trans>
          </Badge>
        ) : (
          recommended && (
            <Badge tone="accent" icon="sparkle">
              <Trans context="badge of a plan">Recommended</Trans>
            </Badge>
          )
        )}
      </div>
      {plan.summary && (
        <p className={styles.summary} dir="auto" lang={langOf(plan, 'summary')}>
          {plan.summary}
        </p>
      )}
      <p className={styles.price}>
        <strong>{format.money(price)}</strong> <span>{planLabels.per(plan.cycle)}</span>
        {yearlySaving(plan, plans) > 0 && (
          <Badge tone="success">
            <Trans>Save {saving}</Trans>
          </Badge>
        )}
      </p>
      {plan.agreedPrice && (
        <p className={styles.agreed}>
          <Trans>You keep the price you signed up with. New subscribers pay {format.money(plan.price)}.</Trans>
        </p>
      )}
      {plan.relation === 'NONE' && plan.trialAvailable && (
        <p className={styles.trial}>
          <Icon name="sparkle" size="s" />
          <Trans>{planLabels.trial(plan.trialDays)}, then the price above.</Trans>
        </p>
      )}
      <div className={styles.action}>
        <PlanAction plan={plan} primary={recommended} />
      </div>
      <div className={styles.benefits}>
        <PlanBenefits plan={plan} />
      </div>
      <p className={styles.terms}>{planLabels.renewal(price, plan.cycle)}</p>
    </article>
  )
}

/** The action that this viewer has for the plan. */
function PlanAction({ plan, primary }: { plan: Plan; primary: boolean }) {
  const { t } = useLingui()
  const params = { id: plan.id }
  const trial = plan.trialAvailable
  switch (plan.relation) {
    case 'CURRENT':
      return (
        <Button full size="l" render={<Link to="/mypages/subscription" />}>
          <Trans>View subscription</Trans>
        </Button>
      )
    case 'NEXT':
      return (
        <Button full size="l" icon="clock" render={<Link to="/mypages/subscription" />}>
          <Trans>Starts at next renewal</Trans>
        </Button>
      )
    case 'UPGRADE':
    case 'DOWNGRADE':
      return (
        <Button
          full
          size="l"
          variant={plan.relation === 'UPGRADE' ? 'primary' : 'secondary'}
          render={
            <Link
              to="/mypages/subscription"
              search={{ step: 'change', plan: plan.id }}
              preload={false}
              aria-label={plan.relation === 'UPGRADE' ? t`Upgrade: ${plan.name}` : t`Change at renewal: ${plan.name}`}
            />
          }
        >
          {plan.relation === 'UPGRADE' ? <Trans>Upgrade</Trans> : <Trans>Change at renewal</Trans>}
        </Button>
      )
    case 'NONE':
      return (
        <Button
          full
          size="l"
          variant={primary ? 'primary' : 'secondary'}
          render={
            <Link
              to="/plans/$id/payment"
              params={params}
              aria-label={trial ? t`Start free trial: ${plan.name}` : t`Subscribe: ${plan.name}`}
            />
          }
        >
          {trial ? <Trans>Start free trial</Trans> : <Trans>Subscribe</Trans>}
        </Button>
      )
    default:
      return plan.relation satisfies never
  }
}
