import { findMember } from '#api/db/queries/members.ts'
import type { Buyer } from '#api/payments/port.ts'
import type { MemberPaymentEnv } from './env.ts'

/** Who pays, as their gateway wants to know them. */
export const buyerOf = async (env: Pick<MemberPaymentEnv, 'actor' | 'inTransaction'>): Promise<Buyer> => {
  const member = await env.inTransaction((ctx) => findMember(ctx.db, ctx.customer.id, env.actor.memberId))
  if (!member) throw new Error('A member who pays is gone')
  const { name, email, phone } = member
  return { name, email, phone }
}
