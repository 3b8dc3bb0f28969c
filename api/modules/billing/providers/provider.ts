import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PaymentMethod } from '#contract/enumerations.ts'
import type { CardId, CustomerId, PaymentId } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'

/** The company that receives the money, as the provider's account identifies it. */
export interface Merchant {
  id: CustomerId
  code: string
  /** The store's origin, to which provider pages redirect the browser. */
  origin: string
  /** ISO 4217 code of the store's prices. */
  currency: string
}

/**
 * The status of a payment at the provider. `reference` is our payment id, by which the provider
 * stores and finds it.
 */
export interface ProviderPayment {
  reference: PaymentId
  status: 'READY' | 'PROCESSING' | 'PAID' | 'FAILED' | 'CANCELLED'
  amount: Money
  refunded: number
  failure: string | null
  card: { issuer: string; lastFour: string } | null
  /** BANK: the current deadline of the deposit. */
  dueAt: Date | null
  /**
   * BANK: deposits that pay nothing because of their amount or their time. They remain listed after
   * a refund and are removed when the bank reverses them.
   */
  unapplied: readonly { id: string; amount: number }[]
}

/**
 * The content of a webhook. It only triggers a query and is never trusted: payments are settled
 * from `query`.
 */
export interface ProviderEvent {
  id: string
  reference: PaymentId
  type: string
}

export type WebhookRefusal = { code: 'SIGNATURE_INVALID' | 'SIGNATURE_TOO_OLD' | 'BODY_INVALID' }

/** A valid webhook about something that does not belong to the store. */
export type OtherEvent = { code: 'IGNORED' }

/** The buyer's details. Some gateways require them. `phone` is in E.164 format. */
export interface Buyer {
  name: string
  email: string
  phone: string | null
}

export interface CreatePayment {
  reference: PaymentId
  method: PaymentMethod
  amount: Money
  title: string
  /** A path of the store with its query, to which the provider redirects the browser. */
  returnUrl: string
  /** BCP 47 language of the hosted page. */
  locale: string
  buyer: Buyer
  /** BANK: the deadline of the deposit. */
  dueAt: Date | null
}

/** A bank account to pay into, for the method BANK. */
export interface BankAccount {
  bank: string
  number: string
  holder: string
  dueAt: Date
}

/**
 * `providerRef` is the provider's own id. `redirectUrl` is its hosted page, or null if the buyer
 * needs none.
 */
export interface CreatedPayment {
  providerRef: string
  redirectUrl: string | null
  account: BankAccount | null
}

/**
 * The provider is unavailable or returned an unknown answer. The state of the payment is unknown.
 */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
}

export interface RefundAccount {
  bank: string
  number: string
  holder: string
}

/** The status of a card registration at the provider. The card is charged by `token`. */
export interface ProviderCard {
  reference: CardId
  status: 'READY' | 'REGISTERED' | 'FAILED'
  failure: string | null
  /** The expiry of the card is null if the provider does not return it. */
  card: {
    token: string
    issuer: string
    lastFour: string
    expiryMonth: number | null
    expiryYear: number | null
  } | null
}

/**
 * Cards stored at the provider and charged without their owner. The rules of `PaymentProvider` for
 * failures and repeats apply.
 */
export interface CardVault {
  /**
   * Returns the provider's page, which redirects the browser to `returnUrl`. The same reference
   * returns the same registration.
   */
  register(
    merchant: Merchant,
    input: { reference: CardId; returnUrl: string; locale: string; buyer: Buyer },
  ): Promise<{ providerRef: string; redirectUrl: string }>
  /** Returns null if the provider does not know the reference. */
  query(merchant: Merchant, reference: CardId): Promise<ProviderCard | null>
  remove(merchant: Merchant, token: string): Promise<void>
  /**
   * Charges a card without its owner. `reference` is the id of our charge: a repeated call returns
   * the status of that charge and charges nothing more. `PaymentProvider.query` and `refund` accept
   * the same reference.
   */
  charge(
    merchant: Merchant,
    input: { reference: PaymentId; token: string; amount: Money; title: string },
  ): Promise<ProviderPayment>
}

/**
 * A payment provider. Every method may throw `ProviderUnavailable`. None may be called inside a
 * database transaction.
 */
export interface PaymentProvider {
  name: string
  /** The supported methods, of which a tenant may offer some. */
  methods: readonly PaymentMethod[]
  /** Origins of the provider's pages, if they are not the store's own. */
  pageOrigins: readonly string[]
  /**
   * Required details of a buyer besides the email. A payment starts only after the member has given
   * them.
   */
  buyerNeeds?: readonly ('name' | 'phone')[]
  /** Safe to repeat: the same reference returns the same payment. */
  createPayment(merchant: Merchant, input: CreatePayment): Promise<CreatedPayment>
  /** Returns null if the provider does not know the reference. */
  query(merchant: Merchant, reference: PaymentId): Promise<ProviderPayment | null>
  /**
   * Closes an unpaid payment and returns its status. A payment that was paid in the meantime
   * remains PAID.
   */
  cancel(merchant: Merchant, reference: PaymentId): Promise<ProviderPayment | null>
  /**
   * Refunds until `total` minor units have been refunded in all, of the payment and of unapplied
   * deposits, never more than was received. A cumulative total makes a repeat safe.
   */
  refund(
    merchant: Merchant,
    reference: PaymentId,
    total: number,
    /** BANK: the account that receives the refund. */
    account?: RefundAccount,
    /**
     * Refuses unless the payment is paid, so that the refund of a reversed deposit is not taken
     * from unapplied money.
     */
    onlyWhilePaid?: boolean,
  ): Promise<{ code: 'REFUNDED'; payment: ProviderPayment } | { code: 'REFUSED'; reason: string }>
  /** Stored cards, or null if the provider does not support them. */
  cards: CardVault | null
  verifyWebhook(headers: Headers, body: string, now: Date): Promise<ProviderEvent | OtherEvent | WebhookRefusal>
  /**
   * Asks for a payment that does not exist. Returns whether the provider accepts the account's
   * secrets and lets them read payments.
   */
  acceptsAccount(): Promise<boolean>
}

/** The provider's own ids as stored here, or null if they are not stored. */
export interface KnownReferences {
  /** The id of a payment or of a charge of a stored card. */
  payment(merchant: Merchant, reference: PaymentId): Promise<string | null>
  card(merchant: Merchant, reference: CardId): Promise<string | null>
}

/**
 * Replaces a provider that cannot be reached. It offers no method, and every call throws
 * `ProviderUnavailable`.
 */
export const absentProvider = (name: string): PaymentProvider => {
  const absent = () => Promise.reject(new ProviderUnavailable(`There is no working account at ${name}`))
  return {
    name,
    methods: [],
    pageOrigins: [],
    createPayment: absent,
    query: absent,
    cancel: absent,
    refund: absent,
    cards: null,
    verifyWebhook: () => Promise.resolve({ code: 'SIGNATURE_INVALID' }),
    acceptsAccount: () => Promise.resolve(false),
  }
}

/** Seconds. A webhook whose signature is older, or further in the future, is refused. */
const signatureSeconds = 300

export const signatureHeader = 'x-webhook-signature'

const signatureOf = (secret: string, timestamp: string, body: string) =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')

/**
 * `t=1764000000,v1=<hmac>`: the signature covers the time, so that an intercepted webhook cannot be
 * replayed later.
 */
export const signWebhook = (secret: string, body: string, now: Date) => {
  const timestamp = Math.floor(now.getTime() / 1000).toString()
  return `t=${timestamp},v1=${signatureOf(secret, timestamp, body)}`
}

/** Checks the signature and the age of a webhook. */
export const checkWebhook = (
  secret: string,
  header: string | null,
  body: string,
  now: Date,
): 'VALID' | 'SIGNATURE_INVALID' | 'SIGNATURE_TOO_OLD' => {
  const match = header?.match(/^t=(\d{1,12}),v1=([0-9a-f]{64})$/)
  const [, timestamp, signature] = match ?? []
  if (!timestamp || !signature) return 'SIGNATURE_INVALID'
  const due = signatureOf(secret, timestamp, body)
  if (!timingSafeEqual(Buffer.from(due, 'hex'), Buffer.from(signature, 'hex'))) return 'SIGNATURE_INVALID'
  return Math.abs(now.getTime() / 1000 - Number(timestamp)) > signatureSeconds ? 'SIGNATURE_TOO_OLD' : 'VALID'
}
