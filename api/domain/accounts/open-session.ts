import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { sessions } from '#api/db/schema/accounts.ts'
import { newId } from '#api/db/uuid.ts'
import { mergeGuest } from '#api/domain/cart/merge-guest.ts'
import type { LoginAnswer } from '#contract/accounts.ts'
import type { MemberId } from '#contract/ids.ts'
import { createSessionToken, hashSessionToken } from './session-token.ts'

const lifetimeMilliseconds = 30 * 24 * 60 * 60 * 1000

export interface NewSession {
  memberId: MemberId
  device: string
  address: string
}

/**
 * Signs a member in on a device, and makes the guest's cart, history and positions theirs. Where the tenant limits devices, the ones
 * that were quiet longest are signed out.
 */
export const openSession = async (ctx: Ctx, { memberId, device, address }: NewSession): Promise<LoginAnswer> => {
  const { customer, db, clock } = ctx
  const now = clock.now()
  const token = createSessionToken(customer.id)
  const expiresAt = new Date(now.getTime() + lifetimeMilliseconds).toISOString()
  await db.insert(sessions).values({
    customerId: customer.id,
    id: newId(),
    memberId,
    tokenHash: hashSessionToken(token),
    device,
    address,
    expiresAt,
    lastSeenAt: now.toISOString(),
    createdAt: now.toISOString(),
  })
  await endBeyondLimit(ctx, memberId)
  if (ctx.actor.guestId) await mergeGuest(ctx, ctx.actor.guestId, memberId)
  return { tokenType: 'Bearer', token, expiresAt }
}

const endBeyondLimit = async ({ customer, db }: Ctx, memberId: MemberId) => {
  const { deviceLimit } = customer.settings.operation
  if (deviceLimit <= 0) return
  const tooMany = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.customerId, customer.id), eq(sessions.memberId, memberId)))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
    .offset(deviceLimit)
  if (tooMany.length === 0) return
  const ids = tooMany.map((session) => session.id)
  await db.delete(sessions).where(and(eq(sessions.customerId, customer.id), inArray(sessions.id, ids)))
}
