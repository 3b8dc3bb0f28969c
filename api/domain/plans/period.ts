import { offsetAt } from '#api/domain/orders/day.ts'
import type { PlanCycle } from '#contract/enumerations.ts'

const day = 86_400_000

/** The day of the month a moment falls on, by a time zone's calendar. */
export const dayOfMonth = (moment: Date, timeZone: string): number =>
  new Date(moment.getTime() + offsetAt(moment, timeZone)).getUTCDate()

/**
 * The end of a period: a month or a year later by the time zone's calendar, at the same time of day. `anchorDay` is the day periods
 * begin on; a month without it ends its period on its last day: 31 January → 28 February → 31 March.
 */
export const periodEnd = (start: Date, cycle: PlanCycle, anchorDay: number, timeZone: string): Date => {
  const local = new Date(start.getTime() + offsetAt(start, timeZone))
  const [year, month] = [local.getUTCFullYear(), local.getUTCMonth() + (cycle === 'YEAR' ? 12 : 1)]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const wall = Date.UTC(year, month, Math.min(anchorDay, lastDay)) + (local.getTime() % day)
  // Twice, because the first correction may step over a change of summer time.
  const once = new Date(wall - offsetAt(new Date(wall), timeZone))
  return new Date(wall - offsetAt(once, timeZone))
}

/** When a subscription begun at a moment is charged first (after its trial, where there is one), and when again. */
export const firstCharges = (
  plan: { cycle: PlanCycle; trialDays: number },
  withTrial: boolean,
  begun: Date,
  timeZone: string,
) => {
  const first = new Date(begun.getTime() + (withTrial ? plan.trialDays * day : 0))
  return { first, next: periodEnd(first, plan.cycle, dayOfMonth(first, timeZone), timeZone) }
}
