import type { PlanRow } from '#api/db/queries/plans.ts'

interface Paid {
  priceAmount: number
  cycle: string
}

/** What a plan costs over a year, minor units. */
export const perYear = ({ priceAmount, cycle }: Paid) => priceAmount * (cycle === 'YEAR' ? 1 : 12)

/**
 * What changing to another plan would be. What costs more over a year is an UPGRADE and happens at once; so does a plan paid by the
 * year in place of by the month that gives no less. Everything else waits for the renewal, so that nobody loses what is paid for: a
 * year that is paid for runs to its end. `current` is the price agreed to, with the plan it is paid for.
 */
export const kindOfChange = (current: Paid & { plan: PlanRow }, next: PlanRow): 'CURRENT' | 'UPGRADE' | 'DOWNGRADE' => {
  if (next.id === current.plan.id) return 'CURRENT'
  if (current.cycle === 'YEAR' && next.cycle === 'MONTH') return 'DOWNGRADE'
  if (perYear(next) > perYear(current)) return 'UPGRADE'
  return current.cycle === 'MONTH' && next.cycle === 'YEAR' && givesNoLess(next, current.plan) ? 'UPGRADE' : 'DOWNGRADE'
}

const givesNoLess = (next: PlanRow, current: PlanRow) =>
  next.streams >= current.streams &&
  (next.scope === 'ALL' ||
    (next.scope === 'CATEGORIES' &&
      current.scope === 'CATEGORIES' &&
      current.categoryIds.every((id) => next.categoryIds.includes(id))))
