import type { SubscriptionRow } from '#api/db/queries/subscriptions.ts'

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
