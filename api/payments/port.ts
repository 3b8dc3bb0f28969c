import type { PaymentMethod } from '#contract/enumerations.ts'
import type { CustomerId, PaymentId } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'

/** The company whose money it is, as a provider's account knows it. */
export interface Merchant {
  id: CustomerId
  code: string
}

/** How a payment stands at the provider. `reference` is our payment id: the provider keeps it and finds the payment by it. */
export interface ProviderPayment {
  reference: PaymentId
  status: 'READY' | 'PROCESSING' | 'PAID' | 'FAILED' | 'CANCELLED'
  amount: Money
  refunded: number
  failure: string | null
  card: { issuer: string; lastFour: string } | null
}

/** What a webhook says. It is a hint to ask again, never the truth: money is settled on `query`. */
export interface ProviderEvent {
  id: string
  reference: PaymentId
  type: string
}

export type WebhookRefusal = { code: 'SIGNATURE_INVALID' | 'SIGNATURE_TOO_OLD' | 'BODY_INVALID' }

export interface CreatePayment {
  reference: PaymentId
  method: PaymentMethod
  amount: Money
  title: string
  /** A path of the store, with its query: the provider sends the browser back to it. */
  returnUrl: string
  /** BCP 47, for the hosted page. */
  locale: string
}

/** A bank account to pay into, for the method BANK. */
export interface BankAccount {
  bank: string
  number: string
  holder: string
  dueAt: Date
}

/** `providerRef` is the provider's own id; `redirectUrl` is its hosted page. */
export interface CreatedPayment {
  providerRef: string
  redirectUrl: string
  account: BankAccount | null
}

/** The provider did not answer, or not in words we know: nothing may be concluded from it. */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable'
}

/** A payment provider. Every call may throw `ProviderUnavailable`; none may run inside a database transaction of ours. */
export interface PaymentProvider {
  name: string
  /** The methods that work here, of which a tenant may offer some. */
  methods: readonly PaymentMethod[]
  /** Safe to repeat: the same reference answers the same payment. */
  createPayment(merchant: Merchant, input: CreatePayment): Promise<CreatedPayment>
  /** Null when the provider has never heard of it. */
  query(merchant: Merchant, reference: PaymentId): Promise<ProviderPayment | null>
  /** Closes a payment that has not been paid. Answers how it stands: a payment paid meanwhile stays PAID. */
  cancel(merchant: Merchant, reference: PaymentId): Promise<ProviderPayment | null>
  /**
   * Gives money back until `total` minor units have been given back in all, never past what was paid. Naming the total and not the
   * step makes it safe to repeat.
   */
  refund(
    merchant: Merchant,
    reference: PaymentId,
    total: number,
  ): Promise<{ code: 'REFUNDED'; payment: ProviderPayment } | { code: 'REFUSED'; reason: string }>
  verifyWebhook(headers: Headers, body: string, now: Date): ProviderEvent | WebhookRefusal
}
