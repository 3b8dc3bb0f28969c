import type { TenantDb } from '#api/platform/db/client.ts'
import type { AnalyticsPeriod } from '#contract/analytics.ts'
import type { CustomerId, PlanId } from '#contract/ids.ts'

/** Sums of money in minor units of a currency. */
export interface MoneySums extends Record<string, unknown> {
  currency: string
  orders: number
  charges: number
  revenue: number
  refunds: number
  refunded: number
}

/**
 * All that moved money from `$2` until before `$3`, by its time. A charge that came after the end
 * of its subscription is refunded at once and never counts.
 */
const moneyMovements = `
  SELECT paid_at AS at, currency, 1 AS orders, 0 AS charges, total_amount AS revenue, 0 AS refunds, 0 AS refunded
    FROM orders WHERE customer_id = $1 AND NOT complimentary AND paid_at >= $2 AND paid_at < $3
  UNION ALL
  SELECT settled_at, currency, 0, 1, amount, 0, 0
    FROM subscription_charges WHERE customer_id = $1 AND status = 'PAID' AND failure IS NULL AND amount > 0 AND settled_at >= $2 AND settled_at < $3
  UNION ALL
  SELECT refunded_at, currency, 0, 0, 0, 1, amount
    FROM cancel_requests WHERE customer_id = $1 AND outcome = 'REFUNDED' AND amount > 0 AND refunded_at >= $2 AND refunded_at < $3
  UNION ALL
  SELECT e.at, s.currency, 0, 0, 0, 1, e.amount
    FROM subscription_events e JOIN subscriptions s ON s.customer_id = $1 AND s.id = e.subscription_id
   WHERE e.customer_id = $1 AND e.type = 'REFUNDED' AND e.detail IS DISTINCT FROM 'UNAPPLIED' AND e.at >= $2 AND e.at < $3`
const moneySums = `sum(orders)::int AS orders, sum(charges)::int AS charges, sum(revenue)::bigint AS revenue,
                   sum(refunds)::int AS refunds, sum(refunded)::bigint AS refunded`

/** A part of time: `until` is exclusive. */
export interface TimeRange {
  since: Date
  until: Date
}

/** Returns the money that moved in a range, per currency. */
export const sumMoney = async (db: TenantDb, customerId: CustomerId, { since, until }: TimeRange) => {
  const { rows } = await db.$client.query<MoneySums>(
    `SELECT currency, ${moneySums} FROM (${moneyMovements}) m GROUP BY currency`,
    [customerId, since, until],
  )
  return rows
}

interface PeriodRange extends TimeRange {
  period: AnalyticsPeriod
  timeZone: string
}

/** Returns the money that moved in each period with any, per currency. */
export const moneyByPeriod = async (
  db: TenantDb,
  customerId: CustomerId,
  { since, until, period, timeZone }: PeriodRange,
) => {
  const { rows } = await db.$client.query<MoneySums & { from: string }>(
    `SELECT to_char(date_trunc($4, at AT TIME ZONE $5), 'YYYY-MM-DD') AS "from", currency, ${moneySums}
       FROM (${moneyMovements}) m GROUP BY 1, currency`,
    [customerId, since, until, period, timeZone],
  )
  return rows
}

/**
 * Returns the number of orders of a range whose buyers began to pay, and of those that were paid
 * since. Free orders do not count, and neither does an order that its buyer replaced by another.
 */
export const countCheckouts = async (db: TenantDb, customerId: CustomerId, { since, until }: TimeRange) => {
  const { rows } = await db.$client.query<{ begun: number; paid: number }>(
    `SELECT count(*)::int AS begun, count(o.paid_at)::int AS paid FROM orders o
      WHERE o.customer_id = $1 AND NOT o.complimentary AND o.total_amount > 0 AND o.created_at >= $2 AND o.created_at < $3
        AND EXISTS (SELECT FROM payments p WHERE p.customer_id = $1 AND p.order_id = o.id
                       AND (o.paid_at IS NOT NULL OR p.failure IS DISTINCT FROM 'SUPERSEDED'))`,
    [customerId, since, until],
  )
  return rows[0] ?? { begun: 0, paid: 0 }
}

/** Returns the number of members who joined in a range. */
export const countJoined = async (db: TenantDb, customerId: CustomerId, { since, until }: TimeRange) => {
  const { rows } = await db.$client.query<{ joined: number }>(
    'SELECT count(*)::int AS joined FROM members WHERE customer_id = $1 AND created_at >= $2 AND created_at < $3',
    [customerId, since, until],
  )
  return rows[0]?.joined ?? 0
}

/** Returns the number of members who joined in each period with any. */
export const joinedByPeriod = async (
  db: TenantDb,
  customerId: CustomerId,
  { since, until, period, timeZone }: PeriodRange,
) => {
  const { rows } = await db.$client.query<{ from: string; joined: number }>(
    `SELECT to_char(date_trunc($4, created_at AT TIME ZONE $5), 'YYYY-MM-DD') AS "from", count(*)::int AS joined
       FROM members WHERE customer_id = $1 AND created_at >= $2 AND created_at < $3 GROUP BY 1`,
    [customerId, since, until, period, timeZone],
  )
  return rows
}

/** Counts of the subscriptions of a plan in one currency. */
export interface SubscriptionCounts extends Record<string, unknown> {
  planId: PlanId
  code: string
  name: string
  currency: string
  active: number
  paused: number
  trialing: number
  started: number
  ended: number
  /** Those that paid at the beginning of the range, and how many of them ended in it. */
  paying: number
  lost: number
  trialsStarted: number
  trialsEnded: number
  trialsConverted: number
  /** Minor units a month, with fractions. */
  monthly: number
}

/** Whether a subscription lives at a time, a parameter such as `$3`. */
const livesAt = (time: string) => `s.activated_at < ${time} AND (s.ended_at IS NULL OR s.ended_at >= ${time})`
const isTrialAt = (time: string) => `s.trial_ends_at IS NOT NULL AND s.trial_ends_at >= ${time}`
/** Whether a subscription was paused at a time. Its history tells it of times that are past. */
const isPausedAt = (time: string) => `s.id IN (
  SELECT last.subscription_id FROM (
    SELECT DISTINCT ON (e.subscription_id) e.subscription_id, e.type FROM subscription_events e
     WHERE e.customer_id = $1 AND e.type IN ('PAUSED', 'RESUMED') AND e.at < ${time}
     ORDER BY e.subscription_id, e.at DESC, e.id DESC) last WHERE last.type = 'PAUSED')`
const within = (column: string) => `s.${column} >= $2 AND s.${column} < $3`
/** A subscription that another one replaces continues. */
const hasEnded = `${within('ended_at')} AND s.end_reason IS DISTINCT FROM 'REPLACED'`
const isActive = 's.lives AND NOT s.paused'
const isPaying = 's."livedBefore" AND NOT s."pausedBefore" AND NOT s."trialBefore"'
const count = (which: string) => `count(*) FILTER (WHERE ${which})::int`

/** A trial ends with its last day, or with its subscription before that. */
const trialEnded = `s.trial_ends_at IS NOT NULL AND least(s.trial_ends_at, s.ended_at) >= $2 AND least(s.trial_ends_at, s.ended_at) < $3`
const hasPaid = `EXISTS (SELECT FROM subscription_charges c
  WHERE c.customer_id = $1 AND c.subscription_id = s.id AND c.status = 'PAID' AND c.amount > 0)`

/** Returns the subscriptions of each plan at `until`, and their changes since `since`. */
export const countSubscriptions = async (db: TenantDb, customerId: CustomerId, { since, until }: TimeRange) => {
  const { rows } = await db.$client.query<SubscriptionCounts>(
    `SELECT p.id AS "planId", p.code, p.name, s.currency,
            ${count(isActive)} AS active,
            ${count('s.lives AND s.paused')} AS paused,
            ${count(`${isActive} AND s.trial`)} AS trialing,
            ${count(within('activated_at'))} AS started,
            ${count(hasEnded)} AS ended,
            ${count(isPaying)} AS paying,
            ${count(`${isPaying} AND ${hasEnded}`)} AS lost,
            ${count(`${within('activated_at')} AND s.trial_ends_at IS NOT NULL`)} AS "trialsStarted",
            ${count(trialEnded)} AS "trialsEnded",
            ${count(`${trialEnded} AND ${hasPaid}`)} AS "trialsConverted",
            coalesce(sum(s.price_amount::float8 / CASE s.cycle WHEN 'YEAR' THEN 12 ELSE 1 END)
              FILTER (WHERE ${isActive} AND NOT s.trial), 0)::float8 AS monthly
       FROM (SELECT s.*, (${livesAt('$3')}) AS lives, (${isTrialAt('$3')}) AS trial, (${isPausedAt('$3')}) AS paused,
                    (${livesAt('$2')}) AS "livedBefore", (${isTrialAt('$2')}) AS "trialBefore", (${isPausedAt('$2')}) AS "pausedBefore"
               FROM subscriptions s WHERE s.customer_id = $1 AND s.activated_at IS NOT NULL) s
       JOIN plans p ON p.customer_id = $1 AND p.id = s.plan_id
      GROUP BY p.id, p.code, p.name, p.sort, s.currency ORDER BY p.sort, p.code, s.currency`,
    [customerId, since, until],
  )
  return rows
}

export interface MissedSearchRow extends Record<string, unknown> {
  words: string
  searches: number
  lastDay: string
}

/** Returns the texts that found nothing in a range of days, the most frequent first. */
export const readMissedSearches = async (
  db: TenantDb,
  customerId: CustomerId,
  { from, to, limit }: { from: string; to: string; limit: number },
) => {
  const { rows } = await db.$client.query<MissedSearchRow>(
    `SELECT words, sum(searches)::int AS searches, to_char(max(day), 'YYYY-MM-DD') AS "lastDay" FROM missed_searches
      WHERE customer_id = $1 AND day BETWEEN $2 AND $3
      GROUP BY words ORDER BY searches DESC, max(day) DESC, words LIMIT $4`,
    [customerId, from, to, limit],
  )
  return rows
}

/** Counts a search of a day. Of texts that are new on that day, the first `max` count. */
export const insertMissedSearch = async (
  db: TenantDb,
  customerId: CustomerId,
  { day, words, max }: { day: string; words: string; max: number },
) => {
  await db.$client.query(
    `INSERT INTO missed_searches (customer_id, day, words)
     SELECT $1, $2::date, $3 WHERE EXISTS (SELECT FROM missed_searches WHERE customer_id = $1 AND day = $2::date AND words = $3)
         OR (SELECT count(*) FROM missed_searches WHERE customer_id = $1 AND day = $2::date) < $4
     ON CONFLICT (customer_id, day, words) DO UPDATE SET searches = missed_searches.searches + 1`,
    [customerId, day, words, max],
  )
}
