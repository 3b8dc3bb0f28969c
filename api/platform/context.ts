import type { Logger } from 'pino'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { Locale } from '#contract/enumerations.ts'
import type {
  CustomerCode,
  CustomerId,
  FaqId,
  GuestId,
  MemberId,
  NoticeId,
  OperatorTokenId,
  ProductId,
  SessionId,
  StaffId,
  StaffSessionId,
  ViewerId,
} from '#contract/ids.ts'
import type { Permission } from '#contract/permissions.ts'
import type { ProblemCode } from '#contract/problem.ts'
import type { Maintenance, SiteSettings } from '#contract/tenancy.ts'
import type { DomainEvents, HandlersIn } from './events.ts'

/**
 * The current time. Rules never read `Date.now()`, because tests and the demo advance the clock.
 */
export interface Clock {
  now: () => Date
}

export interface Customer {
  id: CustomerId
  code: CustomerCode
  useCustomer: boolean
  useSite: boolean
  /** False until the store is opened. Until then visitors see a "coming soon" page. */
  opened: boolean
  /** What visitors of a store read that staff have closed. Null for one that is open or new. */
  maintenance: Maintenance | null
  /** Whether it is the tenant of the installation's staff, which is no store. */
  isInstallation: boolean
  settings: SiteSettings
  /** Accounts at current and former payment providers. */
  paymentAccounts: readonly PaymentAccount[]
  /** Increases with each tenant-wide change. Caches use it in their keys. */
  version: number
}

/** The caller. A guest gets an id with the first stored data: a cart, a view or a position. */
export type Actor =
  | { kind: 'GUEST'; guestId: GuestId | null }
  /** `viewing`: it is staff who looks at the store as this member. Writes are refused. */
  | { kind: 'USER'; memberId: MemberId; sessionId: SessionId; guestId: GuestId | null; viewing: boolean }

export type Member = Extract<Actor, { kind: 'USER' }>

/** The one object of content that a preview link shows, by its kind. */
export interface PreviewedContent {
  notice: NoticeId | null
  faq: FaqId | null
  /** Its type. */
  page: string | null
}

/** The context of a use case: the tenant, the caller and the transaction. */
export interface Ctx {
  customer: Customer
  /** The language of the texts that are read and stored. It is one of the store's languages. */
  locale: Locale
  actor: Actor
  /** A product that is shown to its preview link in any state. */
  previewed?: ProductId | null
  /** Content that is shown to its preview link in any state. */
  previewedContent?: PreviewedContent | null
  /** The time that a preview link shows, which is also that of `clock`. Null for the present. */
  previewAt?: Date | null
  db: TenantDb
  clock: Clock
  log: Logger
  requestId: string
  /** The handlers of domain events. See `emit`. */
  events: EventHandlers
}

/** The context of a handler of events: the transaction of the event, and its tenant. */
export type EventCtx = Pick<Ctx, 'customer' | 'db' | 'clock'>

/**
 * The handlers of each event, in the order in which they run. `api/deps.ts` lists them.
 */
export type EventHandlers = HandlersIn<EventCtx>

export type EventHandler<Name extends keyof DomainEvents> = EventHandlers[Name][number]

/**
 * The context of a use case that does slow work (hashes a password, asks a provider) between its
 * transactions, so that the work holds neither a lock nor a connection.
 */
export interface DetachedCtx extends Omit<Ctx, 'db'> {
  /** Runs `work` in a transaction of its own and returns its answer, failures included. */
  inTransaction: <Answer>(work: (ctx: Ctx) => Promise<Answer>) => Promise<Answer>
}

/** A program with an operator token. Its scopes are its permissions. */
export interface TokenOperator {
  kind: 'TOKEN'
  id: OperatorTokenId
  name: string
  permissions: readonly Permission[]
  createdAt: string
  expiresAt: string | null
}

/** A person of the store's staff. */
export interface StaffOperator {
  kind: 'STAFF'
  id: StaffId
  sessionId: StaffSessionId
  email: string
  name: string
  permissions: readonly Permission[]
  /** MISSING: the person has a second factor, and the session was not confirmed with it. */
  secondFactor: 'CONFIRMED' | 'MISSING' | 'NOT_SET_UP'
  createdAt: string
  expiresAt: string
}

/** The caller of a procedure of operators. */
export type Operator = TokenOperator | StaffOperator

/** Whether the actor of a context has signed in. */
export const isMemberCtx = (ctx: Ctx): ctx is MemberCtx => ctx.actor.kind === 'USER'

/** The context of a signed-in member. */
export interface MemberCtx extends Ctx {
  actor: Member
}

/** The detached context of a signed-in member. */
export interface MemberDetachedCtx extends DetachedCtx {
  actor: Member
  inTransaction: <Answer>(work: (ctx: MemberCtx) => Promise<Answer>) => Promise<Answer>
}

/**
 * Returns the key of the caller's history (views and positions), or null for a guest without an id.
 */
export const viewerOf = (actor: Actor): ViewerId | null => (actor.kind === 'USER' ? actor.memberId : actor.guestId)

/** Marks failures. Other objects have a field `failure` too, such as rows of charges. */
const isExpected = Symbol('failure')

/**
 * An expected failure, returned as data and made by `failure`. `errors` maps the path of a field to
 * a sentence that names a valid value.
 */
export interface Failure {
  readonly [isExpected]: true
  failure: ProblemCode
  errors?: Record<string, string[]>
  /** The current state, where it helps the caller. */
  data?: unknown
  retryAfterSeconds?: number
}

/** What a failure says besides its code. */
export type FailureDetail = Pick<Failure, 'errors' | 'data' | 'retryAfterSeconds'>

/**
 * Returns an expected failure: an error code, with the invalid fields (`errors`) and the current
 * state (`data`) where they help.
 */
export const failure = (code: ProblemCode, more: FailureDetail = {}): Failure => ({
  [isExpected]: true,
  failure: code,
  ...more,
})

/** Returns the failure VALIDATION_FAILED of one field, with what is wrong with it. */
export const invalidField = (field: string, text: string): Failure =>
  failure('VALIDATION_FAILED', { errors: { [field]: [text] } })

/** Whether the answer of a use case is a failure, with any code. */
export const isFailure = (answer: unknown): answer is Failure =>
  typeof answer === 'object' && answer !== null && isExpected in answer

/**
 * Returns the answer of a use case without its failures. Calls `refuse`, which throws, for a
 * failure.
 */
export const expectAnswer = <Answer>(answer: Answer, refuse: (failed: Failure) => never): Exclude<Answer, Failure> => {
  if (isFailure(answer)) refuse(answer)
  // A type guard does not narrow a type parameter.
  return answer as Exclude<Answer, Failure>
}

export type CartOwner = { memberId: MemberId } | { guestId: GuestId }

/** Returns the owner of the caller's cart, or null for a guest without an id. */
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
