import type { Plan } from '#contract/plans.ts'

const opensTheSame = (one: Plan, other: Plan) =>
  one.scope === other.scope &&
  one.streams === other.streams &&
  one.productCount === other.productCount &&
  one.price.currency === other.price.currency &&
  one.categories.length === other.categories.length &&
  one.categories.every(({ id }) => other.categories.some((category) => category.id === id))

/** The plan of the other cycle that opens the same for as many streams; undefined where there is none, or more than one. */
export const counterpartOf = (plan: Plan, plans: readonly Plan[]): Plan | undefined => {
  const found = plans.filter((other) => other.cycle !== plan.cycle && opensTheSame(plan, other))
  return found.length === 1 ? found[0] : undefined
}

/**
 * How much less a yearly plan costs than twelve months of its monthly counterpart, as a part of 1, rounded down to a whole percent; 0 where
 * it saves nothing.
 */
export const yearlySaving = (plan: Plan, plans: readonly Plan[]): number => {
  const monthly = plan.cycle === 'YEAR' ? counterpartOf(plan, plans) : undefined
  if (!monthly) return 0
  const year = 12 * monthly.price.amount
  return Math.max(0, Math.floor(((year - plan.price.amount) * 100) / year)) / 100
}

/** Whether a plan is the one to recommend among those of its cycle: marked so itself, or the counterpart of the one that is. */
export const isRecommended = (plan: Plan, plans: readonly Plan[]): boolean => {
  const isMarked = plans.some((other) => other.cycle === plan.cycle && other.recommended)
  return isMarked ? plan.recommended : (counterpartOf(plan, plans)?.recommended ?? false)
}
