import { and, asc, desc, eq, inArray, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm'
import { cards } from '#api/modules/plans/cards.schema.ts'
import { subscriptions } from '#api/modules/plans/plans.schema.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { CardId, CustomerId, MemberId } from '#contract/ids.ts'

export type CardRow = typeof cards.$inferSelect

/** The cards a member can pay with: the default first, then the newest. */
export const activeCards = (db: TenantDb, customerId: CustomerId, memberId: MemberId): Promise<CardRow[]> =>
  db
    .select()
    .from(cards)
    .where(and(eq(cards.customerId, customerId), eq(cards.memberId, memberId), eq(cards.status, 'ACTIVE')))
    .orderBy(desc(cards.isDefault), desc(cards.createdAt), desc(cards.id))

/** Returns a card in any status, or null. */
export const findCard = async (db: TenantDb, customerId: CustomerId, id: CardId): Promise<CardRow | null> => {
  const [row] = await db
    .select()
    .from(cards)
    .where(and(eq(cards.customerId, customerId), eq(cards.id, id)))
  return row ?? null
}

/** Inserts a card and returns its row. */
export const insertCard = async (db: TenantDb, card: typeof cards.$inferInsert): Promise<CardRow> => {
  const [row] = await db.insert(cards).values(card).returning()
  if (!row) throw new Error('The card could not be inserted.')
  return row
}

/**
 * Updates a card and returns the new row.
 *
 * @throws if the card does not exist
 */
export const updateCard = async (
  db: TenantDb,
  card: Pick<CardRow, 'customerId' | 'id'>,
  change: Partial<Omit<CardRow, 'customerId' | 'id' | 'memberId'>>,
): Promise<CardRow> => {
  const [row] = await db
    .update(cards)
    .set(change)
    .where(and(eq(cards.customerId, card.customerId), eq(cards.id, card.id)))
    .returning()
  if (!row) throw new Error('The card does not exist.')
  return row
}

/** Removes all cards a member can pay with. */
export const removeActiveCards = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId,
  change: Pick<CardRow, 'status' | 'isDefault' | 'removedAt'>,
) => {
  await db
    .update(cards)
    .set(change)
    .where(and(eq(cards.customerId, customerId), eq(cards.memberId, memberId), eq(cards.status, 'ACTIVE')))
}

/** Makes one card the member's only default. */
export const setDefaultCard = async (db: TenantDb, card: Pick<CardRow, 'customerId' | 'id' | 'memberId'>) => {
  const others = and(
    eq(cards.customerId, card.customerId),
    eq(cards.memberId, card.memberId),
    eq(cards.isDefault, true),
    ne(cards.id, card.id),
  )
  await db.update(cards).set({ isDefault: false }).where(others)
  return updateCard(db, card, { isDefault: true })
}

/**
 * Serializes a member's changes to cards and subscriptions until the transaction ends. Take this
 * lock before reading either, so that decisions rest on current rows.
 */
export const lockPayer = async (db: TenantDb, memberId: MemberId) => {
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${memberId}, 2))`)
}

/**
 * Open registrations that were started before a given time and are due to be queried, the longest
 * overdue first.
 */
export const waitingCards = (db: TenantDb, customerId: CustomerId, before: Date, now: Date, limit: number) =>
  db
    .select()
    .from(cards)
    .where(
      and(
        eq(cards.customerId, customerId),
        eq(cards.status, 'READY'),
        lte(cards.createdAt, before.toISOString()),
        or(isNull(cards.nextCheckAt), lte(cards.nextCheckAt, now.toISOString())),
      ),
    )
    .orderBy(sql`coalesce(${cards.nextCheckAt}, ${cards.createdAt})`)
    .limit(limit)

/**
 * Registrations that were closed here while the provider's page was still open. The member may
 * complete them, so they are queried again.
 */
export const abandonedCards = (db: TenantDb, customerId: CustomerId, now: Date, limit: number) =>
  db
    .select()
    .from(cards)
    .where(
      and(
        eq(cards.customerId, customerId),
        inArray(cards.status, ['FAILED', 'REMOVED']),
        lte(cards.nextCheckAt, now.toISOString()),
      ),
    )
    .orderBy(asc(cards.nextCheckAt))
    .limit(limit)

/** Cards that were removed here and still exist at the provider. */
export const cardsToForget = (db: TenantDb, customerId: CustomerId, limit: number) =>
  db
    .select()
    .from(cards)
    .where(and(eq(cards.customerId, customerId), eq(cards.status, 'REMOVED'), isNotNull(cards.token)))
    .limit(limit)

/**
 * Cards that are a default or pay for a continuing subscription and expire at the end of
 * `lastMonth` or of the month before. Expired cards are excluded: the records of sent mails are
 * deleted over time and could not prevent a second mail.
 */
export const expiringCards = (
  db: TenantDb,
  customerId: CustomerId,
  lastMonth: number,
  limit: number,
): Promise<CardRow[]> => {
  const paying = db
    .select({ id: subscriptions.cardId })
    .from(subscriptions)
    .where(and(eq(subscriptions.customerId, customerId), isNull(subscriptions.endedAt), isNull(subscriptions.cancelAt)))
  return db
    .select()
    .from(cards)
    .where(
      and(
        eq(cards.customerId, customerId),
        eq(cards.status, 'ACTIVE'),
        sql`${cards.expiryYear} * 12 + ${cards.expiryMonth} - 1 between ${lastMonth - 1} and ${lastMonth}`,
        or(eq(cards.isDefault, true), sql`${cards.id} in ${paying}`),
        // One notice per card, however often the query runs.
        sql`not exists (select 1 from mails where mails.customer_id = ${cards.customerId} and mails.once = 'card-expiring:' || ${cards.id})`,
      ),
    )
    .orderBy(asc(cards.createdAt))
    .limit(limit)
}
