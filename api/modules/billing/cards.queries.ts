import { and, asc, desc, eq, inArray, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm'
import { cards } from '#api/modules/plans/cards.schema.ts'
import { subscriptions } from '#api/modules/plans/plans.schema.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { CardId, CustomerId, MemberId } from '#contract/ids.ts'

export type CardRow = typeof cards.$inferSelect

/** The cards a member may pay with, the default first, then the latest. */
export const activeCards = (db: TenantDb, customerId: CustomerId, memberId: MemberId): Promise<CardRow[]> =>
  db
    .select()
    .from(cards)
    .where(and(eq(cards.customerId, customerId), eq(cards.memberId, memberId), eq(cards.status, 'ACTIVE')))
    .orderBy(desc(cards.isDefault), desc(cards.createdAt), desc(cards.id))

export const findCard = async (db: TenantDb, customerId: CustomerId, id: CardId): Promise<CardRow | null> => {
  const [row] = await db
    .select()
    .from(cards)
    .where(and(eq(cards.customerId, customerId), eq(cards.id, id)))
  return row ?? null
}

export const insertCard = async (db: TenantDb, card: typeof cards.$inferInsert): Promise<CardRow> => {
  const [row] = await db.insert(cards).values(card).returning()
  if (!row) throw new Error('A card was not written.')
  return row
}

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
  if (!row) throw new Error('A card is gone.')
  return row
}

/** Makes one card of a member the default, and no other. */
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
 * Keeps a member's other changes of cards and subscriptions waiting until the transaction ends. Take it before any look at either, so
 * that what is decided on is what is so.
 */
export const lockPayer = async (db: TenantDb, memberId: string) => {
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${memberId}, 2))`)
}

/** Registrations begun before a moment and not known to have ended, that are to be asked about, the longest due first. */
export const waitingCards = (db: TenantDb, customerId: CustomerId, before: Date, now: Date, limit: number) =>
  db
    .select()
    .from(cards)
    .where(
      and(
        eq(cards.customerId, customerId),
        eq(cards.status, 'READY'),
        lte(cards.createdAt, before.toISOString()),
        or(isNull(cards.askAt), lte(cards.askAt, now.toISOString())),
      ),
    )
    .orderBy(sql`coalesce(${cards.askAt}, ${cards.createdAt})`)
    .limit(limit)

/** Registrations that have ended here while their page was open, and are to be asked about: they may be finished all the same. */
export const leftCards = (db: TenantDb, customerId: CustomerId, now: Date, limit: number) =>
  db
    .select()
    .from(cards)
    .where(
      and(
        eq(cards.customerId, customerId),
        inArray(cards.status, ['FAILED', 'REMOVED']),
        lte(cards.askAt, now.toISOString()),
      ),
    )
    .orderBy(asc(cards.askAt))
    .limit(limit)

/** Cards that were removed here and are still kept at the provider. */
export const cardsToForget = (db: TenantDb, customerId: CustomerId, limit: number) =>
  db
    .select()
    .from(cards)
    .where(and(eq(cards.customerId, customerId), eq(cards.status, 'REMOVED'), isNotNull(cards.token)))
    .limit(limit)

/**
 * Cards that pay for a subscription that goes on, or are a default, and are good until the end of a month or of the one before. One
 * that is past is told of no more: the mails that were sent are forgotten in time.
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
        // One notice a card, however often this is asked.
        sql`not exists (select 1 from mails where mails.customer_id = ${cards.customerId} and mails.once = 'card-expiring:' || ${cards.id})`,
      ),
    )
    .orderBy(asc(cards.createdAt))
    .limit(limit)
}
