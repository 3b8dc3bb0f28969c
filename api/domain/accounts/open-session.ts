import type { Ctx } from '#api/context.ts'
import { rememberNetwork } from '#api/db/queries/known-networks.ts'
import { sessions } from '#api/db/schema/accounts.ts'
import { newId } from '#api/db/uuid.ts'
import { mergeGuest } from '#api/domain/cart/merge-guest.ts'
import { networkOf } from '#api/network.ts'
import type { LoginAnswer } from '#contract/accounts.ts'
import type { MemberId } from '#contract/ids.ts'
import { createSessionToken, hashSessionToken } from './session-token.ts'

const lifetimeMilliseconds = 30 * 24 * 60 * 60 * 1000

export interface NewSession {
  memberId: MemberId
  device: string
  address: string
}

/** Signs a member in on a device, and makes the guest's cart, history and positions theirs. */
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
  await rememberNetwork(db, customer.id, memberId, networkOf(address), now)
  if (ctx.actor.guestId) await mergeGuest(ctx, ctx.actor.guestId, memberId)
  return { tokenType: 'Bearer', token, expiresAt }
}
