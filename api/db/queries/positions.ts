import { and, eq } from 'drizzle-orm'
import type { TenantDb } from '#api/db/client.ts'
import { positions, productEvents } from '#api/db/schema/playback.ts'
import { newId } from '#api/db/uuid.ts'
import type { CustomerId, ProductId } from '#contract/ids.ts'

export type PositionRow = typeof positions.$inferSelect
type Place = Pick<PositionRow, 'customerId' | 'viewer' | 'productId' | 'part'>

/** The part of a product that has no lessons. */
export const wholeProduct = 'main'

const at = (place: Place) =>
  and(
    eq(positions.customerId, place.customerId),
    eq(positions.viewer, place.viewer),
    eq(positions.productId, place.productId),
    eq(positions.part, place.part),
  )

/** Where a viewer stopped in each part of a product. */
export const positionsIn = (db: TenantDb, customerId: CustomerId, viewer: string, productId: ProductId) =>
  db
    .select()
    .from(positions)
    .where(and(eq(positions.customerId, customerId), eq(positions.viewer, viewer), eq(positions.productId, productId)))

/** Reads a position for change, writing `first` where there is none yet; `isNew` says which it was. */
export const lockPosition = async (db: TenantDb, first: PositionRow) => {
  const inserted = await db.insert(positions).values(first).onConflictDoNothing().returning({ at: positions.at })
  const [row] = await db.select().from(positions).where(at(first)).for('update')
  if (!row) throw new Error('A position that was just written is not there.')
  return { row, isNew: inserted.length > 0 }
}

export const updatePosition = async (db: TenantDb, row: PositionRow) => {
  await db.update(positions).set(row).where(at(row))
}

/** Marks every position a viewer has in a product as taken off the list, or as back on it; false where there is none. */
export const dismissPositions = async (
  db: TenantDb,
  { customerId, viewer, productId }: Omit<Place, 'part'>,
  dismissedAt: string | null,
) => {
  const mine = and(
    eq(positions.customerId, customerId),
    eq(positions.viewer, viewer),
    eq(positions.productId, productId),
  )
  const changed = await db.update(positions).set({ dismissedAt }).where(mine).returning({ part: positions.part })
  return changed.length > 0
}

/** What is counted of a product. `seconds` were really played; `day` is the play's own; `reached` are stretches of the video, a bit each. */
export type ProductEvent =
  | { type: 'WATCH'; seconds: number }
  | { type: 'PLAY' | 'REACH'; day: string; reached: number }
  | { type: 'FINISH'; day: string }

/** Appends what happened to a part of a product; the roll-up adds it to the counts and the figures. */
export const recordEvents = async (
  db: TenantDb,
  { customerId, productId, part, at }: { customerId: string; productId: string; part: string; at: string },
  events: readonly ProductEvent[],
) => {
  if (events.length === 0) return
  await db
    .insert(productEvents)
    .values(events.map((event) => ({ customerId, id: newId(), productId, part, at, ...event })))
}
