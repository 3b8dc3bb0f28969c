import { and, asc, count, desc, eq, inArray, isNotNull, isNull, lte, notExists, or, sql } from 'drizzle-orm'
import type { TenantDb } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { CustomerId, MemberId, PaymentId, QuoteId, SubscriptionId } from '#contract/ids.ts'
import type { SubscriptionEvent } from '#contract/subscriptions.ts'
import { emailHash } from './plans.queries.ts'
import {
  subscriptionCharges as charges,
  subscriptionEvents as events,
  subscriptionQuotes as quotes,
  subscriptions,
} from './plans.schema.ts'

export type SubscriptionRow = typeof subscriptions.$inferSelect
export type SubscriptionValues = Partial<Omit<SubscriptionRow, 'customerId' | 'id' | 'memberId'>>
export type QuoteRow = typeof quotes.$inferSelect

/** A member's current subscription: active, overdue, or waiting for its first charge. */
export const findCurrentSubscription = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId,
): Promise<SubscriptionRow | null> => {
  const [row] = await db
    .select()
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.customerId, customerId),
        eq(subscriptions.memberId, memberId),
        isNull(subscriptions.endedAt),
      ),
    )
  return row ?? null
}

/** Returns a subscription, current or ended, or null. */
export const findSubscription = async (
  db: TenantDb,
  customerId: CustomerId,
  id: SubscriptionId,
): Promise<SubscriptionRow | null> => {
  const [row] = await db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.customerId, customerId), eq(subscriptions.id, id)))
  return row ?? null
}

/** Inserts a subscription and returns its row. */
export const insertSubscription = async (
  db: TenantDb,
  subscription: typeof subscriptions.$inferInsert,
): Promise<SubscriptionRow> => {
  const [row] = await db.insert(subscriptions).values(subscription).returning()
  if (!row) throw new Error('The subscription could not be inserted.')
  return row
}

/**
 * Updates a subscription and returns the new row.
 *
 * @throws if the subscription does not exist
 */
export const updateSubscription = async (
  db: TenantDb,
  subscription: Pick<SubscriptionRow, 'customerId' | 'id'>,
  change: SubscriptionValues,
): Promise<SubscriptionRow> => {
  const [row] = await db
    .update(subscriptions)
    .set(change)
    .where(and(eq(subscriptions.customerId, subscription.customerId), eq(subscriptions.id, subscription.id)))
    .returning()
  if (!row) throw new Error('The subscription does not exist.')
  return row
}

/**
 * Whether a person has ever had a trial at this store. A member who left and joined again with the
 * same email gets no second trial.
 */
export const hasHadTrial = async (db: TenantDb, customerId: CustomerId, memberId: MemberId): Promise<boolean> => {
  const { rows } = await db.$client.query<{ had: boolean }>(
    `SELECT EXISTS (SELECT FROM subscriptions WHERE customer_id = $1 AND member_id = $2 AND activated_at IS NOT NULL
                       AND trial_ends_at IS NOT NULL)
         OR EXISTS (SELECT FROM past_trials p JOIN members m ON m.customer_id = p.customer_id AND p.email_hash = ${emailHash('m')}
                     WHERE m.customer_id = $1 AND m.id = $2) AS had`,
    [customerId, memberId],
  )
  return rows[0]?.had ?? false
}

/** Appends an event to a subscription's history. */
export const appendSubscriptionEvent = async (
  db: TenantDb,
  subscription: Pick<SubscriptionRow, 'customerId' | 'id' | 'memberId' | 'planId'>,
  event: { type: SubscriptionEvent['type']; at: Date; amount?: number; chargeId?: PaymentId; detail?: string | null },
) => {
  const { customerId, memberId, planId } = subscription
  await db.$client.query(
    `INSERT INTO subscription_events
            (customer_id, id, subscription_id, member_id, plan_id, plan_name, plan_translations, type, amount, detail, at, charge_id)
     SELECT p.customer_id, $2, $3, $4, p.id, p.name, coalesce((
              SELECT jsonb_object_agg(t.locale, jsonb_build_object('name', t.texts -> 'name'))
                FROM jsonb_each(p.translations) AS t (locale, texts) WHERE t.texts ? 'name'), '{}'),
            $6, $7, $8, $9, $10
       FROM plans p WHERE p.customer_id = $1 AND p.id = $5`,
    [
      customerId,
      newId(),
      subscription.id,
      memberId,
      planId,
      event.type,
      event.amount ?? null,
      event.detail ?? null,
      event.at.toISOString(),
      event.chargeId ?? null,
    ],
  )
}

/** A page of a member's subscription events, newest first. */
export const readSubscriptionEvents = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId,
  { limit, offset }: { limit: number; offset: number },
) => {
  const isMembers = and(eq(events.customerId, customerId), eq(events.memberId, memberId))
  const [counted] = await db.select({ total: count() }).from(events).where(isMembers)
  const rows = await db
    .select()
    .from(events)
    .where(isMembers)
    .orderBy(desc(events.at), desc(events.id))
    .limit(limit)
    .offset(offset)
  return { rows, total: counted?.total ?? 0 }
}

/** Stores the price of a plan change, in minor units, until it expires or is used. */
export const insertQuote = (db: TenantDb, quote: typeof quotes.$inferInsert) => db.insert(quotes).values(quote)

/** Returns a quote, valid or expired, or null. */
export const findQuote = async (db: TenantDb, customerId: CustomerId, id: QuoteId): Promise<QuoteRow | null> => {
  const [row] = await db
    .select()
    .from(quotes)
    .where(and(eq(quotes.customerId, customerId), eq(quotes.id, id)))
  return row ?? null
}

/** Marks the open quotes of a subscription as used. */
export const markQuotesUsed = async (
  db: TenantDb,
  subscription: Pick<SubscriptionRow, 'customerId' | 'id'>,
  now: Date,
) => {
  await db
    .update(quotes)
    .set({ usedAt: now.toISOString() })
    .where(
      and(
        eq(quotes.customerId, subscription.customerId),
        eq(quotes.subscriptionId, subscription.id),
        isNull(quotes.usedAt),
      ),
    )
}

/**
 * Subscriptions with something due and no pending charge, the longest overdue first: a renewal, a
 * retry, a requested end, the end of the grace period or of a pause.
 */
export const dueSubscriptions = async (db: TenantDb, customerId: CustomerId, now: Date, limit: number) => {
  const at = now.toISOString()
  const inProgress = db
    .select({ one: sql`1` })
    .from(charges)
    .where(
      and(
        eq(charges.customerId, subscriptions.customerId),
        eq(charges.subscriptionId, subscriptions.id),
        eq(charges.status, 'PENDING'),
      ),
    )
  const rows = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.customerId, customerId),
        isNull(subscriptions.endedAt),
        isNotNull(subscriptions.activatedAt),
        or(
          lte(subscriptions.cancelAt, at),
          lte(subscriptions.resumeAt, at),
          and(eq(subscriptions.status, 'PROCEEDING'), isNull(subscriptions.pausedAt), lte(subscriptions.periodEnd, at)),
          and(eq(subscriptions.status, 'PENDING'), lte(subscriptions.nextAttemptAt, at)),
        ),
        notExists(inProgress),
      ),
    )
    .orderBy(asc(subscriptions.periodEnd), asc(subscriptions.id))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/**
 * Subscriptions started before a given time that still wait for their card, with nothing charged.
 */
export const abandonedSubscriptions = async (db: TenantDb, customerId: CustomerId, before: Date, limit: number) => {
  const charged = db
    .select({ id: charges.subscriptionId })
    .from(charges)
    .where(and(eq(charges.customerId, customerId), inArray(charges.status, ['PENDING', 'PAID'])))
  const rows = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.customerId, customerId),
        isNull(subscriptions.endedAt),
        isNull(subscriptions.activatedAt),
        lte(subscriptions.createdAt, before.toISOString()),
        sql`${subscriptions.id} not in ${charged}`,
      ),
    )
    .limit(limit)
  return rows.map(({ id }) => id)
}

/**
 * Trials that end before a given time, continue into paid periods and have had no notice of this
 * end: staff may have extended one after a notice.
 */
export const endingTrials = async (db: TenantDb, customerId: CustomerId, now: Date, until: Date, limit: number) => {
  const rows = await db
    .select()
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.customerId, customerId),
        isNull(subscriptions.endedAt),
        isNull(subscriptions.cancelAt),
        isNull(subscriptions.pausedAt),
        sql`${subscriptions.trialEndsAt} > ${now.toISOString()}`,
        lte(subscriptions.trialEndsAt, until.toISOString()),
        sql`not exists (
          select 1 from mails
          where mails.customer_id = ${subscriptions.customerId} and (
            mails.once = 'trial-ending:' || ${subscriptions.id} || ':' || floor(extract(epoch from ${subscriptions.trialEndsAt}))
            -- Earlier keys do not have the end.
            or mails.once = 'trial-ending:' || ${subscriptions.id}
              and mails.created_at > ${subscriptions.trialEndsAt} - ${until.getTime() - now.getTime()} * interval '1 millisecond'
          )
        )`,
      ),
    )
    .orderBy(asc(subscriptions.trialEndsAt))
    .limit(limit)
  return rows
}
