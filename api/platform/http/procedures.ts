import { implement, traverseContractProcedures } from '@orpc/server'
import type { Logger } from 'pino'
import type { Deps } from '#api/deps.ts'
import type { AuditActor } from '#api/platform/audit.ts'
import {
  type Actor,
  type Ctx,
  type Customer,
  expectAnswer,
  type Failure,
  isMemberCtx,
  type Member,
  type MemberCtx,
  type Operator,
} from '#api/platform/context.ts'
import { withTenant } from '#api/platform/db/client.ts'
import type { SharedReads } from '#api/platform/db/shared-reads.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { CustomerCode } from '#contract/ids.ts'
import { contract } from '#contract/index.ts'
import type { OperatorScope } from '#contract/operators.ts'
import type { Access, ProcedureMeta } from '#contract/procedures/procedure.ts'
import { ApiError } from './problems.ts'

/** Areas a members-only store still answers to guests: what its pages outside of the login need. */
const areasOpenToGuests = new Set(['tenancy', 'accounts', 'joining', 'content'])

/**
 * Checks the tenant's status and the kind of caller against what the contract says of a call.
 *
 * @throws ApiError
 */
export const assertAccess = (
  { customer, actor, operator, preview }: Pick<CallContext, 'customer' | 'actor' | 'operator' | 'preview'>,
  { access, path: [area = '', call] }: { access: Access; path: readonly string[] },
) => {
  if (area !== 'tenancy') {
    if (!customer.useCustomer) throw new ApiError('CONTRACT_EXPIRED')
    // Operators get a closed store ready.
    if (!customer.useSite && access !== 'operator') throw new ApiError('SITE_DISABLED')
    if (!customer.opened && !preview && access !== 'operator') throw new ApiError('STORE_NOT_OPEN')
  }
  if (access === 'operator') {
    if (!operator) throw new ApiError('UNAUTHORIZED')
    return
  }
  if (actor.kind === 'GUEST') {
    const membersOnly = customer.settings.operation.useLogin && !areasOpenToGuests.has(area) && call !== 'categories'
    if (access === 'member' || membersOnly) throw new ApiError('UNAUTHORIZED')
  }
}

/** What the contract says of a procedure besides its schemas. Each is made by `procedure` of the contract, which sets all of it. */
export const metaOf = (procedure: { '~orpc': { meta: object } }): ProcedureMeta =>
  procedure['~orpc'].meta as ProcedureMeta

/** Access is checked here for the procedure that answers, whatever was found out about the address before its body was read. */
export const os = implement(contract)
  .$context<CallContext>()
  .use(({ context, procedure, path, next }) => {
    assertAccess(context, { access: metaOf(procedure).access, path })
    return next()
  })

/** One request, as the calls see it. */
export interface CallContext {
  deps: Deps
  customer: Customer
  /** The first language of Accept-Language that the store has, else the store's own. */
  locale: Locale
  actor: Actor
  /** Whose bearer the call carries; null but at calls of operators. */
  operator: Operator | null
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
export const unwrap = <Answer>(answer: Answer): Expected<Answer> =>
  expectAnswer(answer, (failed) => {
    throw new ApiError(failed.failure, failed)
  })

const ctxOf = (call: CallContext, db: Ctx['db']): Ctx => ({
  customer: call.customer,
  locale: call.locale,
  actor: call.actor,
  db,
  clock: call.deps.clock,
  log: call.log,
  requestId: call.requestId,
  events: call.deps.events,
})

/**
 * Runs each `work` it is given in a transaction of its own and answers what that answers, failures included: for use cases that
 * make their own transactions. The reads of a call that writes nothing share the transaction of the request scope.
 */
export const transactionsOf =
  (call: CallContext) =>
  <Answer>(work: (ctx: Ctx) => Promise<Answer>): Promise<Answer> =>
    (call.read ?? inTransaction(call))(call.customer.id, (db) => work(ctxOf(call, db)))

/**
 * Runs a use case in one transaction of the tenant. An expected failure commits what the use case wrote (a counted try, a stored
 * event); only a throw rolls back.
 *
 * @throws ApiError for an expected failure, after the commit.
 */
export const transact = async <Answer>(
  call: CallContext,
  work: (ctx: Ctx) => Promise<Answer>,
): Promise<Expected<Answer>> => unwrap(await transactionsOf(call)(work))

const inTransaction =
  ({ deps }: CallContext): SharedReads =>
  (customerId, work) =>
    withTenant(deps.pool, customerId, work)

/** A call that is a GET and writes all the same: that something was looked at, or handed out. */
export const writing = (call: CallContext): CallContext => ({ ...call, read: null })

/** A call that needs a member; the call's `access: 'member'` has made sure of one. */
export const asMember = (call: CallContext): MemberCallContext => {
  const { actor } = call
  if (actor.kind !== 'USER') throw new ApiError('UNAUTHORIZED')
  return { ...call, actor }
}

/** The same for a verb that needs a member; the call's `access: 'member'` has made sure of one. */
export const transactAsMember = <Answer>(
  call: CallContext,
  work: (ctx: MemberCtx) => Promise<Answer>,
): Promise<Expected<Answer>> =>
  transact(call, (ctx) => {
    if (!isMemberCtx(ctx)) throw new ApiError('UNAUTHORIZED')
    return work(ctx)
  })

/** Who calls, as the audit names them; the call's `access: 'operator'` has made sure of one. */
export const operatorName = ({ operator }: Pick<CallContext, 'operator'>): AuditActor => {
  if (!operator) throw new ApiError('UNAUTHORIZED')
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

export interface ProcedureRoute {
  name: string
  method: string
  pattern: RegExp
  /** More literal segments first: `/products/options` before `/products/{id}`. */
  weight: number
  access: Access
  /** Procedures of operators: the scope that the token must have. */
  scope: OperatorScope | null
}

/** Method, address and access of every procedure, read from the contract once. */
const routes: ProcedureRoute[] = []
traverseContractProcedures({ router: contract, path: [] }, ({ contract: procedure, path }) => {
  const { method = 'GET', path: address = '/' } = procedure['~orpc'].route
  const { access, scope = null } = metaOf(procedure)
  routes.push({
    name: path.join('.'),
    method,
    pattern: new RegExp(`^${address.replace(/\{[^}]+\}/g, '[^/]+')}/?$`),
    weight: address.split('/').filter((part) => !part.startsWith('{')).length,
    access,
    scope,
  })
})
routes.sort((a, b) => b.weight - a.weight)

/** The procedure at a method and a path below the customer's base, or the methods that the path has. */
export const findRoute = (method: string, path: string): ProcedureRoute | { allow: string[] } | null => {
  const there = routes.filter((route) => route.pattern.test(path))
  return (
    there.find((route) => route.method === method) ??
    (there.length > 0 ? { allow: [...new Set(there.map((route) => route.method))] } : null)
  )
}
