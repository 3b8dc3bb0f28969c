import { offsetAt } from '#api/platform/clock.ts'
import type { PlanCycle } from '#contract/enumerations.ts'
import type { PlanRow } from './plans.queries.ts'
import type { SubscriptionRow } from './subscriptions.queries.ts'

/** Days after a failed renewal on which it is tried again; access lasts until the last of them. */
export const retryDays = [1, 3, 5, 7] as const
export const graceMilliseconds = Math.max(...retryDays) * 86_400_000

type Standing = Pick<SubscriptionRow, 'activatedAt' | 'periodEnd' | 'cancelAt' | 'graceUntil' | 'endedAt'>

/**
 * The moment access by a subscription ends unless more is paid; null where there is none. A renewal that is merely late on our side
 * costs nobody access before the grace is over.
 */
export const accessEnd = ({ activatedAt, periodEnd, cancelAt, graceUntil, endedAt }: Standing): Date | null => {
  if (endedAt !== null || activatedAt === null || periodEnd === null) return null
  if (cancelAt !== null) return new Date(cancelAt)
  return new Date(graceUntil ?? Date.parse(periodEnd) + graceMilliseconds)
}

/** A last try that comes later than this after the grace is not made: nobody expects it any more. */
const latestTry = 86_400_000

/** Whether an overdue renewal is too late to be tried at all. */
export const isPastGrace = ({ graceUntil }: Pick<Standing, 'graceUntil'>, now: Date) =>
  graceUntil !== null && Date.parse(graceUntil) + latestTry < now.getTime()

/** Whether a subscription opens what its plan covers, at a moment. */
export const isOpen = (subscription: Standing, now: Date): boolean => {
  const end = accessEnd(subscription)
  return end !== null && now < end
}

/** The end of access a person should know of: null while the subscription renews by itself. */
export const knownEnd = ({ cancelAt, graceUntil }: Standing): string | null => cancelAt ?? graceUntil

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
