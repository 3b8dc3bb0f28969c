import type { Logger } from 'pino'
import type { Actor, Ctx, Customer, Member, MemberCtx } from '#api/context.ts'
import { withTenant } from '#api/db/with-tenant.ts'
import type { Deps } from '#api/deps.ts'
import { type Failure, isFailure } from '#api/domain/failure.ts'
import { paymentEnv } from '#api/payment-env.ts'
import { CallError } from './problem.ts'

/** One request, as the calls see it. */
export interface CallContext {
  deps: Deps
  customer: Customer
  actor: Actor
  log: Logger
  requestId: string
  /** The visitor's address, as far as it can be trusted. */
  address: string
  device: string
  /** The storefront's origin, for addresses that must be absolute. */
  origin: string
  headers: Headers
  /** Headers the answer will carry. */
  answerHeaders: Headers
}

export interface MemberCallContext extends CallContext {
  actor: Member
}

export type Expected<Answer> = Exclude<Answer, Failure>

/** Hands out a verb's answer, or turns its expected failure into the error payload. */
export const unwrap = <Answer>(answer: Answer): Expected<Answer> => {
  if (isFailure(answer)) throw new CallError(answer.failure, answer)
  return answer as Expected<Answer>
}

const ctxOf = (call: CallContext, db: Ctx['db']): Ctx => ({
  customer: call.customer,
  actor: call.actor,
  db,
  clock: call.deps.clock,
  log: call.log,
  requestId: call.requestId,
})

/**
 * Runs a verb in one transaction of the tenant. An expected failure commits what the verb chose to keep (a counted try, a stored
 * event); only a throw rolls back.
 */
export const transact = async <Answer>(
  call: CallContext,
  work: (ctx: Ctx) => Promise<Answer>,
): Promise<Expected<Answer>> =>
  unwrap(await withTenant(call.deps.pool, call.customer.id, (db) => work(ctxOf(call, db))))

/** The same for a verb that needs a member; the call's `access: 'member'` has made sure of one. */
export const transactAsMember = <Answer>(
  call: CallContext,
  work: (ctx: MemberCtx) => Promise<Answer>,
): Promise<Expected<Answer>> =>
  transact(call, (ctx) => {
    if (ctx.actor.kind !== 'USER') throw new CallError('UNAUTHORIZED')
    return work(ctx as MemberCtx)
  })

/** What a verb of payment gets in place of a transaction: it makes its own, around what it asks of the provider. */
export const memberPaymentEnv = (call: CallContext) => {
  const { actor } = call
  if (actor.kind !== 'USER') throw new CallError('UNAUTHORIZED')
  return { ...paymentEnv(call), actor }
}
