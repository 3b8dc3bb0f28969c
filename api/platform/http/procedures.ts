import { implement } from '@orpc/server'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { AuditActor } from '#api/platform/audit.ts'
import {
  type Actor,
  type Clock,
  type Ctx,
  type Customer,
  type DetachedCtx,
  type EventHandlers,
  expectAnswer,
  type Failure,
  isMemberCtx,
  type Member,
  type MemberCtx,
  type MemberDetachedCtx,
  type Operator,
  type PreviewedContent,
  type StaffOperator,
} from '#api/platform/context.ts'
import { createGuestToken } from '#api/platform/crypto.ts'
import { type TenantDb, withTenant } from '#api/platform/db/client.ts'
import type { Freshness, Replica } from '#api/platform/db/replica.ts'
import type { SharedReads } from '#api/platform/db/shared-reads.ts'
import type { Locale } from '#contract/enumerations.ts'
import { headers } from '#contract/http.ts'
import type { CustomerCode, ProductId } from '#contract/ids.ts'
import { type Permission, secondFactorPermissions } from '#contract/permissions.ts'
import { contract } from '#contract/procedures/contract.ts'
import type { Access, ProcedureMeta } from '#contract/procedures/procedure.ts'
import { ApiError, assertMayWrite, isAnonymous } from './problems.ts'

/** The areas that a members-only store still offers to guests: its login pages need them. */
const areasOpenToGuests = new Set(['tenancy', 'identity', 'staff', 'content'])

/** What a session can do before its second factor is confirmed. */
const openWithoutSecondFactor = new Set([
  'staff.me',
  'staff.signOut',
  'staff.confirmSecondFactor',
  'staff.confirmPasskey',
])

type Needed = Omit<ProcedureMeta, 'permission'> & { permission?: Permission | null; path: readonly string[] }

/**
 * Checks that an operator has a permission. Without one, any operator passes.
 *
 * @throws ApiError FORBIDDEN, SECOND_FACTOR_REQUIRED
 */
export const assertPermission = (operator: Operator, permission: Permission | null, secondFactor = false) => {
  if (permission === null) return
  const { permissions } = operator
  if (!permissions.includes(permission)) throw new ApiError('FORBIDDEN', { data: { permission, permissions } })
  const isConfirmed = operator.kind === 'TOKEN' || operator.secondFactor === 'CONFIRMED'
  if (!isConfirmed && (secondFactor || secondFactorPermissions.includes(permission)))
    throw new ApiError('SECOND_FACTOR_REQUIRED')
}

const assertOperator = (operator: Operator | null, { access, permission = null, secondFactor, path }: Needed) => {
  if (!operator) throw new ApiError('UNAUTHORIZED')
  const isUnconfirmed = operator.kind === 'STAFF' && operator.secondFactor === 'MISSING'
  if (isUnconfirmed && !openWithoutSecondFactor.has(path.join('.'))) throw new ApiError('SECOND_FACTOR_REQUIRED')
  assertPermission(operator, permission, secondFactor)
  if (access === 'staff' && operator.kind !== 'STAFF') throw new ApiError('FORBIDDEN')
}

/** Whether only operators call procedures of this kind. */
export const isOfOperators = (access: Access) => access === 'operator' || access === 'staff'

/** Checks the status of the tenant and the caller against the contract. @throws ApiError */
export const assertAccess = (
  { customer, actor, operator, preview }: Pick<ProcedureContext, 'customer' | 'actor' | 'operator' | 'preview'>,
  needed: Needed,
) => {
  const { access, path } = needed
  const [area = '', procedure] = path
  if (area !== 'tenancy') {
    if (!customer.useCustomer) throw new ApiError('CONTRACT_EXPIRED')
    // Operators prepare a closed store, so they can also sign in to it.
    const isOpen = area === 'staff' || isOfOperators(access)
    if (!customer.useSite && !isOpen) throw new ApiError('SITE_DISABLED')
    if (!customer.opened && !preview && !isOpen) throw new ApiError('STORE_NOT_OPEN')
  }
  if (isOfOperators(access)) return assertOperator(operator, needed)
  if (actor.kind === 'GUEST') {
    const membersOnly =
      customer.settings.operation.useLogin && !areasOpenToGuests.has(area) && procedure !== 'categories'
    if (access === 'member' || membersOnly) throw new ApiError('UNAUTHORIZED')
  }
}

/** Returns the metadata of a procedure, all of which the contract always sets. */
export const metaOf = (procedure: { '~orpc': { meta: object } }) => procedure['~orpc'].meta as ProcedureMeta

/**
 * Returns the procedures of the contract, to be handled by a module. `Deps` is what the module
 * needs of the process. Checks access for the procedure that answers, regardless of earlier checks
 * by path.
 */
export const implementProcedures = <Deps extends object = object>() =>
  implement(contract)
    .$context<ProcedureContext<Deps>>()
    .use(({ context, procedure, path, next }) => {
      assertAccess(context, { ...metaOf(procedure), path })
      // Signing out ends the viewing. An export of all data is asked for with its own reason.
      const name = path.join('.')
      const isAllowed = name === 'identity.logout' || (name === 'playback.startPlayback' && !context.previewAt)
      if (name === 'identity.exportMe' || (context.read === null && !isAllowed)) assertMayWrite(context)
      return next()
    })

/** What every procedure needs of the process. */
export interface ProcedureDeps {
  pool: pg.Pool
  clock: Clock
  events: EventHandlers
  /** The secret that others are derived from. See `secretFor`. */
  secret: string
  /** Null without a streaming replica. */
  replica: Replica | null
}

/** The context of a request, as procedures see it. */
export interface ProcedureContext<Deps extends object = object> {
  deps: ProcedureDeps & Deps
  customer: Customer
  /** The first language of Accept-Language that the store has, else the store's language. */
  locale: Locale
  actor: Actor
  /** The person or program that calls. Null except for procedures of operators. */
  operator: Operator | null
  /** The tenant of the storefront's host. Null if it has none, or the host was not sent. */
  hostCustomerCode: CustomerCode | null
  /** The caller has a preview link, which shows the store before it is opened, and its drafts. */
  preview: boolean
  /** What the caller reads through a preview link of it, in any state. */
  previewed: ProductId | null
  previewedContent: PreviewedContent | null
  /** The time that the caller's preview link shows. Nothing is written then. */
  previewAt: Date | null
  /** Reads of a procedure that writes nothing. Null for a procedure that may write. */
  read: SharedReads | null
  /** What a replica must have to answer instead. Null for the primary alone. See `fromReplica`. */
  replicaNeeds: Freshness | null
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
  /** Sends a stream as the content of the file that the procedure returns. */
  streamAnswer: (body: ReadableStream<Uint8Array>) => void
}

export type Expected<Answer> = Exclude<Answer, Failure>

/** Returns the answer of a use case, or throws its expected failure as an `ApiError`. */
export const unwrap = <Answer>(answer: Answer): Expected<Answer> =>
  expectAnswer(answer, (failed) => {
    throw new ApiError(failed.failure, failed)
  })

const ctxOf = (context: ProcedureContext): Omit<Ctx, 'db'> => ({
  customer: context.customer,
  locale: context.locale,
  actor: context.actor,
  previewed: context.previewed,
  previewedContent: context.previewedContent,
  previewAt: context.previewAt,
  clock: context.deps.clock,
  log: context.log,
  requestId: context.requestId,
  events: context.deps.events,
})

/**
 * Reads of a procedure that writes nothing share the transaction of the request scope, or are read
 * from a replica.
 */
const inTransaction = async <Answer>(
  context: ProcedureContext,
  work: (ctx: Ctx) => Promise<Answer>,
): Promise<Answer> => {
  const { deps, customer, read, replicaNeeds } = context
  const shared = ctxOf(context)
  const run = (db: TenantDb) => work({ ...shared, db })
  const old = replicaNeeds && (await deps.replica?.read(customer.id, replicaNeeds, run))
  if (old) return old.answer
  return read ? read(customer.id, run) : withTenant(deps.pool, customer.id, run)
}

/** Returns the context of a use case that does slow work between its transactions. */
export const detachedCtx = (context: ProcedureContext): DetachedCtx => ({
  ...ctxOf(context),
  inTransaction: (work) => inTransaction(context, work),
})

/** Returns the detached context of a member. `access: 'member'` in the contract guarantees one. */
export const memberDetachedCtx = (context: ProcedureContext): MemberDetachedCtx => {
  const { actor } = asMember(context)
  return {
    ...detachedCtx(context),
    actor,
    inTransaction: (work) => inTransaction(context, (ctx) => work({ ...ctx, actor })),
  }
}

/**
 * Runs a use case in one transaction of the tenant. An expected failure commits the writes of the
 * use case (a counted attempt, a stored event). Only a thrown error rolls back.
 *
 * @throws ApiError for an expected failure, after the commit
 */
export const transact = async <Answer>(
  context: ProcedureContext,
  work: (ctx: Ctx) => Promise<Answer>,
): Promise<Expected<Answer>> => unwrap(await inTransaction(context, work))

/** Marks a GET that writes, such as a view. Fails with READ_ONLY for staff who only look. */
export const writing = <Context extends ProcedureContext>(context: Context): Context => {
  assertMayWrite(context)
  return { ...context, read: null, replicaNeeds: null }
}

/**
 * Lets a replica answer a read. Operators need all that was committed before; guests without an id,
 * who have changed nothing, the version of the store. Everybody else reads from the primary.
 */
export const fromReplica = <Context extends ProcedureContext>(context: Context): Context => {
  const { operator, customer } = context
  const replicaNeeds = operator ? 'COMMITTED' : isAnonymous(context) ? { version: customer.version } : null
  return { ...context, replicaNeeds }
}

/** Narrows the context to a member. `access: 'member'` in the contract guarantees one. */
export const asMember = <Context extends Pick<ProcedureContext, 'actor'>>(
  context: Context,
): Context & { actor: Member } => {
  const { actor } = context
  if (actor.kind !== 'USER') throw new ApiError('UNAUTHORIZED')
  return { ...context, actor }
}

/** Runs `transact` for a member. `access: 'member'` in the contract guarantees one. */
export const transactAsMember = <Answer>(
  context: ProcedureContext,
  work: (ctx: MemberCtx) => Promise<Answer>,
): Promise<Expected<Answer>> =>
  transact(context, (ctx) => {
    if (!isMemberCtx(ctx)) throw new ApiError('UNAUTHORIZED')
    return work(ctx)
  })

/**
 * Runs `transact` for a visitor who has an id: a guest without one gets it here. The answer carries
 * its token for later requests.
 */
export const transactAsVisitor = <Answer>(
  context: ProcedureContext,
  work: (ctx: Ctx) => Promise<Answer>,
): Promise<Expected<Answer>> => {
  if (context.actor.kind === 'USER' || context.actor.guestId !== null) return transact(context, work)
  const { guestId, token } = createGuestToken(context.deps.secret, context.customer.id)
  context.answerHeaders.set(headers.guestToken, token)
  return transact({ ...context, actor: { kind: 'GUEST', guestId } }, work)
}

/** Returns the caller. `access: 'operator'` in the contract guarantees one. */
export const operatorOf = ({ operator }: Pick<ProcedureContext, 'operator'>): Operator => {
  if (!operator) throw new ApiError('UNAUTHORIZED')
  return operator
}

/** Returns the caller's name for the audit log. The contract guarantees an operator. */
export const operatorName = (context: Pick<ProcedureContext, 'operator'>): AuditActor => {
  const operator = operatorOf(context)
  return operator.kind === 'STAFF' ? `staff:${operator.email}` : `operator:${operator.name}`
}

/** Narrows the caller to a person. `access: 'staff'` in the contract guarantees one. */
export const staffOf = ({ operator }: Pick<ProcedureContext, 'operator'>): StaffOperator => {
  if (operator?.kind !== 'STAFF') throw new ApiError('UNAUTHORIZED')
  return operator
}

/** Runs a use case of operators. `by` is the actor in the audit log. */
export const transactAsOperator = <Answer>(
  context: ProcedureContext,
  work: (ctx: Ctx, by: AuditActor) => Promise<Answer>,
): Promise<Expected<Answer>> => {
  const by = operatorName(context)
  return transact(context, (ctx) => work(ctx, by))
}
