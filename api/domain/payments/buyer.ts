import type { Member } from '#api/context.ts'
import { findMember } from '#api/db/queries/members.ts'
import { fieldSentence } from '#api/domain/accounts/field-words.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import type { Buyer } from '#api/payments/port.ts'
import type { PaymentEnv } from './env.ts'

type MemberEnv = PaymentEnv & { actor: Member }

/** Who pays, as their gateway wants to know them. */
export const buyerOf = async (env: Pick<MemberEnv, 'actor' | 'inTransaction'>): Promise<Buyer> => {
  const member = await env.inTransaction((ctx) => findMember(ctx.db, ctx.customer.id, env.actor.memberId))
  if (!member) throw new Error('A member who pays is gone')
  const { name, email, phone } = member
  return { name, email, phone }
}

/** BUYER_DETAILS_MISSING where the store's provider needs what the member has not given yet, with each field by name. */
export const checkBuyer = async (env: MemberEnv): Promise<Failure | null> => {
  const needs = env.provider.buyerNeeds ?? []
  if (needs.length === 0) return null
  const buyer = await buyerOf(env)
  const missing = needs.filter((field) => !buyer[field])
  if (missing.length === 0) return null
  const errors: Record<string, string[]> = {}
  for (const field of missing) errors[field] = [fieldSentence(env.locale, `${field}Needed`)]
  return failure('BUYER_DETAILS_MISSING', { errors })
}
