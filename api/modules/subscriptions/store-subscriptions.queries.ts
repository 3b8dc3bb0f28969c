import type { TenantDb } from '#api/platform/db/client.ts'
import type { KeysetPosition } from '#api/platform/platform.queries.ts'
import type { PlanCycle, SubscriptionSort, SubscriptionState } from '#contract/enumerations.ts'
import type { CustomerId, MemberId, PlanCode, PlanId, SubscriptionId } from '#contract/ids.ts'

export interface SubscriptionPageRow {
  keyset: KeysetPosition
  id: SubscriptionId
  /** Null for a withdrawn account. */
  memberId: MemberId | null
  email: string | null
  name: string | null
  plan: string
  state: SubscriptionState
  cycle: PlanCycle
  priceAmount: number
  currency: string
  startedAt: string
  nextChargeAt: string | null
  nextPriceAmount: number
  endsAt: string | null
  attempts: number
  nextAttemptAt: string | null
  graceUntil: string | null
  /** Why the latest charge of an overdue subscription failed. */
  failure: string | null
}

export interface SubscriptionPageFilter {
  state: SubscriptionState | null
  plan: PlanCode | null
  /** The start of an email address in lower case; null without one. */
  emailStart: string | null
  sort: SubscriptionSort
  now: Date
  after: KeysetPosition | null
  size: number
}

const isGoingOn = `s.ended_at IS NULL AND s.status <> 'PENDING' AND s.cancel_at IS NULL AND s.paused_at IS NULL`

/** Conditions of each state. `$2` is the present time. */
const conditions = {
  OVERDUE: `s.ended_at IS NULL AND s.status = 'PENDING'`,
  CANCELLED: `s.ended_at IS NULL AND s.status <> 'PENDING' AND s.cancel_at IS NOT NULL`,
  PAUSED: 's.ended_at IS NULL AND s.cancel_at IS NULL AND s.paused_at IS NOT NULL',
  TRIAL: `${isGoingOn} AND s.trial_ends_at > $2`,
  ACTIVE: `${isGoingOn} AND (s.trial_ends_at IS NULL OR s.trial_ends_at <= $2)`,
  ENDED: 's.ended_at IS NOT NULL',
} as const satisfies Record<SubscriptionState, string>

const stateColumn = `CASE ${Object.entries(conditions)
  .map(([state, condition]) => `WHEN ${condition} THEN '${state}'`)
  .join(' ')} END`

const isRenewed = 's.ended_at IS NULL AND s.cancel_at IS NULL AND s.paused_at IS NULL'
const nextCharge = 'coalesce(s.next_attempt_at, s.period_end)'
/** As `nextChargeOf` says it. */
const nextChargeAt = `CASE WHEN ${isRenewed} THEN ${nextCharge}
  WHEN s.ended_at IS NULL AND s.cancel_at IS NULL AND s.resume_at IS NOT NULL THEN greatest(s.resume_at, s.period_end) END`

/** Each order has an index. `$6` and `$7` are the position before the page. */
const sorts = {
  STARTED: {
    key: 's.activated_at',
    only: 'true',
    after: '(s.activated_at, s.id) < ($6::timestamptz, $7::uuid)',
    order: 's.activated_at DESC NULLS LAST, s.id DESC',
  },
  NEXT_CHARGE: {
    key: nextCharge,
    only: `${isRenewed} AND ${nextCharge} IS NOT NULL`,
    after: `(${nextCharge}, s.id) > ($6::timestamptz, $7::uuid)`,
    order: `${nextCharge}, s.id`,
  },
} as const satisfies Record<SubscriptionSort, object>

/** One more started subscription than the page has. */
export const readSubscriptionPage = async (
  db: TenantDb,
  customerId: CustomerId,
  { state, plan, emailStart, sort, now, after, size }: SubscriptionPageFilter,
): Promise<SubscriptionPageRow[]> => {
  const sorted = sorts[sort]
  const { rows } = await db.$client.query<SubscriptionPageRow>(
    `WITH page AS (
       SELECT s.* FROM subscriptions s
        WHERE s.customer_id = $1 AND s.activated_at IS NOT NULL AND ${sorted.only} AND $2::timestamptz IS NOT NULL
          ${state ? `AND ${conditions[state]}` : ''}
          ${plan ? 'AND s.plan_id = (SELECT p.id FROM plans p WHERE p.customer_id = $1 AND p.code = $3)' : 'AND $3::text IS NULL'}
          ${
            emailStart
              ? `AND s.member_id IN (SELECT m.id FROM members m WHERE m.customer_id = $1 AND m.withdrawn_at IS NULL
                   AND starts_with(m.email_lower, $4))`
              : 'AND $4::text IS NULL'
          }
          ${after ? `AND ${sorted.after}` : 'AND $6::timestamptz IS NULL AND $7::uuid IS NULL'}
        ORDER BY ${sorted.order} LIMIT $5)
     SELECT jsonb_build_object('at', (${sorted.key})::text, 'id', s.id) AS keyset, s.id, m.id AS "memberId", m.email, m.name,
            p.name AS plan, ${stateColumn} AS state, s.cycle, s.price_amount AS "priceAmount", s.currency,
            s.activated_at AS "startedAt", ${nextChargeAt} AS "nextChargeAt",
            coalesce(s.next_price_amount, s.price_amount) AS "nextPriceAmount", coalesce(s.ended_at, s.cancel_at) AS "endsAt",
            s.attempts, s.next_attempt_at AS "nextAttemptAt", s.grace_until AS "graceUntil",
            CASE WHEN s.grace_until IS NOT NULL THEN (
              SELECT c.failure FROM subscription_charges c WHERE c.customer_id = $1 AND c.subscription_id = s.id
               ORDER BY c.created_at DESC LIMIT 1) END AS failure
       FROM page s
       JOIN plans p ON p.customer_id = $1 AND p.id = s.plan_id
       LEFT JOIN members m ON m.customer_id = $1 AND m.id = s.member_id AND m.withdrawn_at IS NULL
      ORDER BY ${sorted.order}`,
    [customerId, now.toISOString(), plan, emailStart, size + 1, after?.at ?? null, after?.id ?? null],
  )
  return rows
}

/** The plans of a store by name, on sale or not. */
export const readPlanNames = async (db: TenantDb, customerId: CustomerId) => {
  const { rows } = await db.$client.query<{ code: PlanCode; name: string }>(
    'SELECT code, name FROM plans WHERE customer_id = $1 ORDER BY name, code',
    [customerId],
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
export const countSubscriptions = async (
  db: TenantDb,
  customerId: CustomerId,
  { since, until }: { since: Date; until: Date },
) => {
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
