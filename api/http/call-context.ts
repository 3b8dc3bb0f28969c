import type { Logger } from 'pino'
import type { Actor, Ctx, Customer, Member, MemberCtx } from '#api/context.ts'
import type { OperatorRow } from '#api/db/queries/operators.ts'
import type { SharedReads } from '#api/db/shared-reads.ts'
import { withTenant } from '#api/db/with-tenant.ts'
import type { Deps } from '#api/deps.ts'
import type { AuditActor } from '#api/domain/desk/audit.ts'
import { type Failure, isFailure } from '#api/domain/failure.ts'
import { paymentEnv } from '#api/payment-env.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { CustomerCode } from '#contract/ids.ts'
import { CallError } from './problem.ts'

/** One request, as the calls see it. */
export interface CallContext {
  deps: Deps
  customer: Customer
  /** The first language of Accept-Language that the store has, else the store's own. */
  locale: Locale
  actor: Actor
  /** Whose bearer the call carries; null but at calls of operators. */
  operator: OperatorRow | null
  /** Whose the host is that a storefront was asked at; null where it is nobody's, or was not named. */
  hostCustomerCode: CustomerCode | null
  /** The caller holds a preview link: they see the store before it is opened, and its drafts. */
  preview: boolean
  /** Where a call reads that writes nothing; null for one that may. */
  read: SharedReads | null
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
  locale: call.locale,
  actor: call.actor,
  db,
  clock: call.deps.clock,
  log: call.log,
  requestId: call.requestId,
})

/**
 * Runs a verb in one transaction of the tenant: of a call that reads, in that of all reads of the sitting. An expected failure commits what the verb chose to keep (a counted try, a stored
 * event); only a throw rolls back.
 */
export const transact = async <Answer>(
  call: CallContext,
  work: (ctx: Ctx) => Promise<Answer>,
): Promise<Expected<Answer>> =>
  unwrap(await (call.read ?? inTransaction(call))(call.customer.id, (db) => work(ctxOf(call, db))))

const inTransaction =
  ({ deps }: CallContext): SharedReads =>
  (customerId, work) =>
    withTenant(deps.pool, customerId, work)

/** A call that is a GET and writes all the same: that something was looked at, or handed out. */
export const writing = (call: CallContext): CallContext => ({ ...call, read: null })

/** A call that needs a member; the call's `access: 'member'` has made sure of one. */
export const asMember = (call: CallContext): MemberCallContext => {
  const { actor } = call
  if (actor.kind !== 'USER') throw new CallError('UNAUTHORIZED')
  return { ...call, actor }
}

/** The same for a verb that needs a member; the call's `access: 'member'` has made sure of one. */
export const transactAsMember = <Answer>(
  call: CallContext,
  work: (ctx: MemberCtx) => Promise<Answer>,
): Promise<Expected<Answer>> =>
  transact(call, (ctx) => {
    if (ctx.actor.kind !== 'USER') throw new CallError('UNAUTHORIZED')
    return work(ctx as MemberCtx)
  })

/** Who calls, as the audit names them; the call's `access: 'operator'` has made sure of one. */
export const operatorName = ({ operator }: Pick<CallContext, 'operator'>): AuditActor => {
  if (!operator) throw new CallError('UNAUTHORIZED')
  return `operator:${operator.name}`
}

/** Runs a verb of the operators; `by` is what the audit names. */
export const transactAsOperator = <Answer>(
  call: CallContext,
  work: (ctx: Ctx, by: AuditActor) => Promise<Answer>,
): Promise<Expected<Answer>> => {
  const by = operatorName(call)
  return transact(call, (ctx) => work(ctx, by))
}

/** What a verb of payment gets in place of a transaction: it makes its own, around what it asks of the provider. */
export const memberPaymentEnv = (call: CallContext) => {
  const { actor } = call
  if (actor.kind !== 'USER') throw new CallError('UNAUTHORIZED')
  return { ...paymentEnv(call), actor }
}
