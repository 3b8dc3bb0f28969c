import type { Logger } from 'pino'
import type { TenantDb } from '#api/db/client.ts'
import type { PaymentAccount } from '#api/db/queries/payment-accounts.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { CustomerCode, CustomerId, MemberId, SessionId } from '#contract/ids.ts'
import type { SiteSettings } from '#contract/tenancy.ts'

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
}

/** A context whose actor has signed in. */
export interface MemberCtx extends Ctx {
  actor: Member
}

/** The key of an actor's history (views, positions); null for a guest without a trace. */
export const viewerOf = (actor: Actor): string | null => (actor.kind === 'USER' ? actor.memberId : actor.guestId)
