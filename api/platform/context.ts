import type { Logger } from 'pino'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { CustomerCode, CustomerId, MemberId, SessionId } from '#contract/ids.ts'
import type { OperatorScope } from '#contract/operators.ts'
import type { ProblemCode } from '#contract/problem.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import type { EventHandlers } from './events.ts'

/** The time. Tests and the demo may move it; nothing reads `Date.now()` for a rule. */
export interface Clock {
  now: () => Date
}

export interface Customer {
  id: CustomerId
  code: CustomerCode
  useCustomer: boolean
  useSite: boolean
  /** False until the store is opened: visitors see that it is coming soon. */
  opened: boolean
  settings: SiteSettings
  /** At the providers that take its payments, or took them. */
  paymentAccounts: readonly PaymentAccount[]
  /** Moves with every tenant-wide change; caches key on it. */
  version: number
}

/** Who asks. A guest has an id of its own once it has left a trace: a cart, a view, a position. */
export type Actor =
  | { kind: 'GUEST'; guestId: string | null }
  | { kind: 'USER'; memberId: MemberId; sessionId: SessionId; guestId: string | null }

export type Member = Extract<Actor, { kind: 'USER' }>

/** What every verb of the domain gets first: the tenant, the actor, and the transaction both stand in. */
export interface Ctx {
  customer: Customer
  /** The language texts are read in, and kept in where they are kept: one of the store's. */
  locale: Locale
  actor: Actor
  db: TenantDb
  clock: Clock
  log: Logger
  requestId: string
  /** Who applies what happens here: see `emit`. */
  events: EventHandlers
}

/** The bearer of an operator token: whose it is, and what it may do. */
export interface Operator {
  id: string
  name: string
  scopes: OperatorScope[]
  createdAt: string
  expiresAt: string | null
}

/** Whether the actor of a context has signed in. */
export const isMemberCtx = (ctx: Ctx): ctx is MemberCtx => ctx.actor.kind === 'USER'

/** A context whose actor has signed in. */
export interface MemberCtx extends Ctx {
  actor: Member
}

/** The key of an actor's history (views, positions); null for a guest without a trace. */
export const viewerOf = (actor: Actor): string | null => (actor.kind === 'USER' ? actor.memberId : actor.guestId)

/** An expected failure, as data. `errors` maps a field to what would be right. */
export interface Failure {
  failure: ProblemCode
  errors?: Record<string, string[]>
  /** What is so now, where that helps. */
  data?: unknown
  retryAfterSeconds?: number
}

export const failure = (code: ProblemCode, more: Omit<Failure, 'failure'> = {}): Failure => ({ failure: code, ...more })

export const isFailure = (answer: unknown): answer is Failure =>
  typeof answer === 'object' && answer !== null && 'failure' in answer

/** The answer of a use case without its failures: `refuse` throws for them. */
export const expectAnswer = <Answer>(answer: Answer, refuse: (failed: Failure) => never): Exclude<Answer, Failure> => {
  if (isFailure(answer)) refuse(answer)
  // The compiler narrows no type parameter by a guard.
  return answer as Exclude<Answer, Failure>
}

export type CartOwner = { memberId: MemberId } | { guestId: string }

/** Whose cart an actor means; null for a guest who has left no trace yet. */
export const cartOwner = (actor: Actor): CartOwner | null => {
  if (actor.kind === 'USER') return { memberId: actor.memberId }
  return actor.guestId === null ? null : { guestId: actor.guestId }
}

/** A tenant's account at a provider. `secrets` is encrypted. */
export interface PaymentAccount {
  provider: string
  active: boolean
  options: Record<string, string>
  secrets: string | null
}
