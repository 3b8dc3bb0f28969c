import { dayMilliseconds, offsetAt } from '#api/platform/clock.ts'
import type { I18n } from '#api/platform/i18n/messages.ts'
import type { Block, Fact, MailContent } from '#api/platform/mail/render.ts'
import type { PlanCycle } from '#contract/enumerations.ts'
import type { ProductId } from '#contract/ids.ts'
import type { Subscription } from '#contract/subscriptions.ts'
import type { MemberPlans, PlanRow } from './plans.queries.ts'
import type { PlanScope } from './plans.schema.ts'
import type { SubscriptionRow } from './subscriptions.queries.ts'

/** Days after a failed renewal on which it is retried. Access lasts until the last of them. */
export const retryDays = [1, 3, 5, 7] as const
export const graceMilliseconds = Math.max(...retryDays) * dayMilliseconds

type SubscriptionTerms = Pick<
  SubscriptionRow,
  'activatedAt' | 'periodEnd' | 'cancelAt' | 'graceUntil' | 'pausedAt' | 'endedAt'
>

/**
 * Returns when access by a subscription ends without a further payment, or null if there is none. A
 * renewal that the store processes late costs nobody access before the grace period ends. A paused
 * subscription is not renewed, so that its access ends with the period.
 */
export const accessEnd = ({
  activatedAt,
  periodEnd,
  cancelAt,
  graceUntil,
  pausedAt,
  endedAt,
}: SubscriptionTerms): Date | null => {
  if (endedAt !== null || activatedAt === null || periodEnd === null) return null
  if (cancelAt !== null) return new Date(cancelAt)
  if (pausedAt !== null) return new Date(periodEnd)
  return new Date(graceUntil ?? Date.parse(periodEnd) + graceMilliseconds)
}

/**
 * Milliseconds after the grace period beyond which the last retry is skipped, because the member no
 * longer expects a charge.
 */
const latestTry = dayMilliseconds

/** Whether an overdue renewal is too late to be retried. */
export const isPastGrace = ({ graceUntil }: Pick<SubscriptionTerms, 'graceUntil'>, now: Date) =>
  graceUntil !== null && Date.parse(graceUntil) + latestTry < now.getTime()

/** Whether a subscription grants access to its plan's products at a given time. */
const isOpen = (subscription: SubscriptionTerms, now: Date): boolean => {
  const end = accessEnd(subscription)
  return end !== null && now < end
}

/** The announced end of access. Null while the subscription renews automatically. */
const scheduledEnd = ({ cancelAt, graceUntil, pausedAt, periodEnd }: SubscriptionTerms): string | null =>
  cancelAt ?? graceUntil ?? (pausedAt === null ? null : periodEnd)

/** Whether a subscription is paused and nothing more is paid, so that there is no access. */
export const isSuspended = ({ pausedAt, periodEnd }: SubscriptionTerms, now: Date): boolean =>
  pausedAt !== null && periodEnd !== null && Date.parse(periodEnd) <= now.getTime()

/** A paused subscription is charged when it resumes, or with the end of what is paid after that. */
const afterPause = ({ resumeAt, periodEnd }: Pick<SubscriptionRow, 'resumeAt' | 'periodEnd'>) =>
  resumeAt !== null && periodEnd !== null && periodEnd > resumeAt ? periodEnd : resumeAt

/** The next charge of a subscription; null if none follows, or while none is planned. */
export const nextChargeOf = (row: SubscriptionRow): Subscription['nextCharge'] => {
  const at = row.pausedAt === null ? (row.nextAttemptAt ?? row.periodEnd) : afterPause(row)
  if (row.activatedAt === null || row.cancelAt !== null || row.endedAt !== null || at === null) return null
  return { at, amount: { amount: row.nextPriceAmount ?? row.priceAmount, currency: row.currency } }
}

interface Paid {
  priceAmount: number
  cycle: PlanCycle
}

/** The yearly cost of a plan in minor units. */
export const perYear = ({ priceAmount, cycle }: Paid) => priceAmount * (cycle === 'YEAR' ? 1 : 12)

/**
 * Classifies a change to another plan. A plan that costs more per year is an UPGRADE and applies at
 * once, as does a yearly plan in place of a monthly one with the same or a larger scope. Every
 * other change waits for the renewal, so that no paid time is lost. `current` is the accepted price
 * with its plan.
 */
export const kindOfChange = (current: Paid & { plan: PlanRow }, next: PlanRow): 'CURRENT' | 'UPGRADE' | 'DOWNGRADE' => {
  if (next.id === current.plan.id) return 'CURRENT'
  if (current.cycle === 'YEAR' && next.cycle === 'MONTH') return 'DOWNGRADE'
  if (perYear(next) > perYear(current)) return 'UPGRADE'
  return current.cycle === 'MONTH' && next.cycle === 'YEAR' && coversAtLeast(next, current.plan)
    ? 'UPGRADE'
    : 'DOWNGRADE'
}

/**
 * Returns the test of whether a product is in a plan's scope, given the tests of whether the plan
 * lists it and whether they share a category. `isInPlanScope` is the same rule in SQL.
 */
export const scopeTest = <Product>(
  scope: PlanScope,
  { isListed, sharesCategory }: Record<'isListed' | 'sharesCategory', (product: Product) => boolean>,
): ((product: Product) => boolean) =>
  scope === 'ALL' ? () => true : scope === 'CATEGORIES' ? sharesCategory : isListed

const coversAtLeast = (next: PlanRow, current: PlanRow) =>
  next.streams >= current.streams &&
  (next.scope === 'ALL' ||
    (next.scope === 'CATEGORIES' &&
      current.scope === 'CATEGORIES' &&
      current.categoryIds.every((id) => next.categoryIds.includes(id))))

/** The day of the month in the calendar of a time zone. */
export const dayOfMonth = (time: Date, timeZone: string): number =>
  new Date(time.getTime() + offsetAt(time, timeZone)).getUTCDate()

/**
 * Returns the end of a period: a month or a year later in the time zone's calendar, at the same
 * time of day. `anchorDay` is the day on which periods start. In a shorter month, the period ends
 * on the last day: 31 January → 28 February → 31 March.
 */
export const periodEnd = (start: Date, cycle: PlanCycle, anchorDay: number, timeZone: string): Date => {
  const local = new Date(start.getTime() + offsetAt(start, timeZone))
  const [year, month] = [local.getUTCFullYear(), local.getUTCMonth() + (cycle === 'YEAR' ? 12 : 1)]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const wall = Date.UTC(year, month, Math.min(anchorDay, lastDay)) + (local.getTime() % dayMilliseconds)
  // Corrected twice, because the first correction may cross a daylight saving change.
  const once = new Date(wall - offsetAt(new Date(wall), timeZone))
  return new Date(wall - offsetAt(once, timeZone))
}

/**
 * Returns the times of the first charge (after the trial, if any) and of the one that follows, for
 * a subscription started at a given time.
 */
export const firstCharges = (
  plan: { cycle: PlanCycle; trialDays: number },
  withTrial: boolean,
  startedAt: Date,
  timeZone: string,
) => {
  const first = new Date(startedAt.getTime() + (withTrial ? plan.trialDays * dayMilliseconds : 0))
  return { first, next: periodEnd(first, plan.cycle, dayOfMonth(first, timeZone), timeZone) }
}

const share = (amount: number, part: number, total: number) => ({
  numerator: BigInt(amount) * BigInt(part),
  denominator: BigInt(Math.max(1, total)),
})

/** Milliseconds. */
export interface PaidPeriod {
  start: number
  end: number
}

const timeLeft = ({ start, end }: PaidPeriod, now: number) => Math.min(Math.max(end - now, 0), end - start)

/**
 * Returns the unused share of the amount paid for a period, by its remaining milliseconds. Minor
 * units, rounded up in the member's favour.
 */
export const creditOf = (paid: number, period: PaidPeriod, now: number): number => {
  const { numerator, denominator } = share(paid, timeLeft(period, now), period.end - period.start)
  return Number((numerator + denominator - 1n) / denominator)
}

/**
 * Returns the cost of the rest of a period at a price for the whole period. Minor units, rounded
 * down in the member's favour.
 */
export const costOfRemainder = (price: number, period: PaidPeriod, now: number): number => {
  const { numerator, denominator } = share(price, timeLeft(period, now), period.end - period.start)
  return Number(numerator / denominator)
}

/** Labels that several subscription mails share. */
export const planFacts = {
  plan: (i18n: I18n, plan: string): Fact => [i18n._('Plan'), plan],
  amount: (i18n: I18n, amount: string): Fact => [i18n._('Amount'), amount],
  /** Issuer and last four digits. */
  card: (i18n: I18n, card: string | null): Fact[] => (card ? [[i18n._('Card'), card]] : []),
  nextPayment: (i18n: I18n, on: string, amount: string): Fact => [i18n._('Next payment'), `${on} · ${amount}`],
}

interface PlanMail {
  title: string
  text: string
  facts: readonly Fact[]
  note?: string | null
  /** The target of the link: the subscription by default, or the cards. */
  to?: 'cards'
}

/** Builds a mail about a subscription or its card: the event, the facts and a link. */
export const planMail = (i18n: I18n, { title, text, facts, note, to }: PlanMail): MailContent => {
  const blocks: Block[] = [
    { kind: 'text', text },
    { kind: 'facts', facts },
  ]
  if (note) blocks.push({ kind: 'note', text: note })
  blocks.push(
    to
      ? { kind: 'link', label: i18n._('View payment methods'), path: '/mypages/cards' }
      : { kind: 'link', label: i18n._('View subscription'), path: '/mypages/subscription' },
  )
  return { subject: title, title, blocks }
}

/**
 * The products with PLAN or PURCHASE_OR_PLAN access that a member's plans cover, each with its
 * announced end. Null if the plan renews.
 */
export type PlanCoverage = Map<ProductId, { until: string | null }>

/** Whether a partnership is active, and whether a subscription grants access to its plan. */
export const openPlans = (plans: MemberPlans, now: Date) => ({
  partnership: plans.partnershipUntil !== null && Date.parse(plans.partnershipUntil) > now.getTime(),
  regular: plans.subscription !== null && isOpen(plans.subscription, now),
})

/**
 * Returns which of the given products a member's plans cover. A partnership, granted by an
 * operator, covers every product on a plan. A subscription covers its plan's scope until the
 * period, or the grace period after a failed renewal, ends.
 */
export const planCoverage = (
  { plans, inScope }: { plans: MemberPlans; inScope: readonly ProductId[] | null },
  ids: readonly ProductId[],
  now: Date,
): PlanCoverage => {
  const { partnership, regular } = openPlans(plans, now)
  const { plan, subscription, partnershipUntil } = plans
  const scope = inScope && new Set(inScope)
  const subscribed = !regular || !plan ? [] : ids.filter((id) => scope?.has(id) ?? true)
  const covered: PlanCoverage = new Map()
  if (partnership) for (const id of ids) covered.set(id, { until: partnershipUntil })
  for (const id of subscribed) {
    const until = later(covered.get(id)?.until, subscription && scheduledEnd(subscription))
    covered.set(id, { until })
  }
  return covered
}

/** Returns the later of two ends. Null means no end, undefined means none known yet. */
const later = (one: string | null | undefined, other: string | null) =>
  one === undefined ? other : one === null || other === null ? null : Date.parse(one) > Date.parse(other) ? one : other
