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
import type { OperatorScope } from '#contract/identity.ts'
import type { CustomerCode } from '#contract/ids.ts'
import { contract, headers } from '#contract/index.ts'
import type { Access, ProcedureMeta } from '#contract/procedures/procedure.ts'
import { createGuestToken } from './guest-token.ts'
import { ApiError } from './problems.ts'

/**
 * The areas that a members-only store still offers to guests, because its login pages need them.
 */
const areasOpenToGuests = new Set(['tenancy', 'identity', 'content'])

/**
 * Checks the status of the tenant and the kind of caller against the contract.
 *
 * @throws ApiError
 */
export const assertAccess = (
  { customer, actor, operator, preview }: Pick<CallContext, 'customer' | 'actor' | 'operator' | 'preview'>,
  { access, path: [area = '', call] }: { access: Access; path: readonly string[] },
) => {
  if (area !== 'tenancy') {
    if (!customer.useCustomer) throw new ApiError('CONTRACT_EXPIRED')
    // Operators prepare a closed store.
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

/** Returns the metadata of a procedure. `procedure` of the contract always sets all of it. */
export const metaOf = (procedure: { '~orpc': { meta: object } }): ProcedureMeta =>
  procedure['~orpc'].meta as ProcedureMeta

/** Checks access for the procedure that answers, regardless of earlier checks by path. */
export const os = implement(contract)
  .$context<CallContext>()
  .use(({ context, procedure, path, next }) => {
    assertAccess(context, { access: metaOf(procedure).access, path })
    return next()
  })

/** The context of a request, as procedures see it. */
export interface CallContext {
  deps: Deps
  customer: Customer
  /** The first language of Accept-Language that the store has, else the store's language. */
  locale: Locale
  actor: Actor
  /** The holder of the operator token. Null except for procedures of operators. */
  operator: Operator | null
  /** The tenant of the storefront's host. Null where it has none, or the host was not sent. */
  hostCustomerCode: CustomerCode | null
  /** The caller has a preview link, which shows the store before it is opened, and its drafts. */
  preview: boolean
  /** Reads of a procedure that writes nothing. Null for a procedure that may write. */
  read: SharedReads | null
  log: Logger
  requestId: string
  /** The visitor's network address. See `addressOf`. */
  address: string
  device: string
  /** The storefront's origin, for absolute URLs. */
  origin: string
  headers: Headers
  /** Headers to add to the response. */
  answerHeaders: Headers
}

export interface MemberCallContext extends CallContext {
  actor: Member
}

export type Expected<Answer> = Exclude<Answer, Failure>

/** Returns the answer of a use case, or throws its expected failure as an `ApiError`. */
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
 * Returns a function that runs each `work` in its own transaction and returns the result, failures
 * included, for use cases that manage their transactions. Reads of a procedure that writes nothing
 * share the transaction of the request scope.
 */
export const transactionsOf =
  (call: CallContext) =>
  <Answer>(work: (ctx: Ctx) => Promise<Answer>): Promise<Answer> =>
    (call.read ?? inTransaction(call))(call.customer.id, (db) => work(ctxOf(call, db)))

/**
 * Runs a use case in one transaction of the tenant. An expected failure commits the writes of the
 * use case (a counted attempt, a stored event). Only a thrown error rolls back.
 *
 * @throws ApiError for an expected failure, after the commit
 */
export const transact = async <Answer>(
  call: CallContext,
  work: (ctx: Ctx) => Promise<Answer>,
): Promise<Expected<Answer>> => unwrap(await transactionsOf(call)(work))

const inTransaction =
  ({ deps }: CallContext): SharedReads =>
  (customerId, work) =>
    withTenant(deps.pool, customerId, work)

/** Marks a GET that writes, for example to record a view or a download. */
export const writing = (call: CallContext): CallContext => ({ ...call, read: null })

/** Narrows the context to a member. `access: 'member'` in the contract guarantees one. */
export const asMember = (call: CallContext): MemberCallContext => {
  const { actor } = call
  if (actor.kind !== 'USER') throw new ApiError('UNAUTHORIZED')
  return { ...call, actor }
}

/** Runs `transact` for a member. `access: 'member'` in the contract guarantees one. */
export const transactAsMember = <Answer>(
  call: CallContext,
  work: (ctx: MemberCtx) => Promise<Answer>,
): Promise<Expected<Answer>> =>
  transact(call, (ctx) => {
    if (!isMemberCtx(ctx)) throw new ApiError('UNAUTHORIZED')
    return work(ctx)
  })

/**
 * Runs `transact` for a visitor who has an id: a guest without one gets it here. The answer carries
 * its token for later requests.
 */
export const transactAsVisitor = <Answer>(
  call: CallContext,
  work: (ctx: Ctx) => Promise<Answer>,
): Promise<Expected<Answer>> => {
  if (call.actor.kind === 'USER' || call.actor.guestId !== null) return transact(call, work)
  const { guestId, token } = createGuestToken(call.deps.secret, call.customer.id)
  call.answerHeaders.set(headers.guestToken, token)
  return transact({ ...call, actor: { kind: 'GUEST', guestId } }, work)
}

/**
 * Returns the caller's name for the audit log. `access: 'operator'` in the contract guarantees an
 * operator.
 */
export const operatorName = ({ operator }: Pick<CallContext, 'operator'>): AuditActor => {
  if (!operator) throw new ApiError('UNAUTHORIZED')
  return `operator:${operator.name}`
}

/** Runs a use case of operators. `by` is the actor in the audit log. */
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
  /** Orders routes by literal segments: `/products/options` comes before `/products/{id}`. */
  weight: number
  access: Access
  /** Procedures of operators: the scope that the token must have. */
  scope: OperatorScope | null
}

/** Method, path and access of every procedure, read once from the contract. */
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

/**
 * Returns the procedure for a method and a path below the customer's base. Where only the path
 * matches, returns its methods. Returns null where nothing matches.
 */
export const findRoute = (method: string, path: string): ProcedureRoute | { allow: string[] } | null => {
  const there = routes.filter((route) => route.pattern.test(path))
  return (
    there.find((route) => route.method === method) ??
    (there.length > 0 ? { allow: [...new Set(there.map((route) => route.method))] } : null)
  )
}
