import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PaymentMethod } from '#contract/enumerations.ts'
import type { CardId, CustomerId, PaymentId } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'

/** The company whose money it is, as a provider's account knows it. */
export interface Merchant {
  id: CustomerId
  code: string
  /** Where the store is reached: pages of other origins send the browser back there. */
  origin: string
  /** ISO 4217, of the store's prices. */
  currency: string
}

/** How a payment stands at the provider. `reference` is our payment id: the provider keeps it and finds the payment by it. */
export interface ProviderPayment {
  reference: PaymentId
  status: 'READY' | 'PROCESSING' | 'PAID' | 'FAILED' | 'CANCELLED'
  amount: Money
  refunded: number
  failure: string | null
  card: { issuer: string; lastFour: string } | null
  /** BANK: the last moment a deposit is taken, as it stands now. */
  dueAt: Date | null
  /**
   * BANK: deposits that lie there and pay nothing, because of their amount or their time. They stay listed when they have been given
   * back, and leave the list when the bank takes them back itself.
   */
  unapplied: readonly { id: string; amount: number }[]
}

/** What a webhook says. It is a hint to ask again, never the truth: money is settled on `query`. */
export interface ProviderEvent {
  id: string
  reference: PaymentId
  type: string
}

export type WebhookRefusal = { code: 'SIGNATURE_INVALID' | 'SIGNATURE_TOO_OLD' | 'BODY_INVALID' }

/** A good message about something that is none of ours. */
export type OtherEvent = { code: 'IGNORED' }

/** Who pays: some gateways take nothing from somebody they know nothing of. `phone` is E.164. */
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
  /** A path of the store, with its query: the provider sends the browser back to it. */
  returnUrl: string
  /** BCP 47, for the hosted page. */
  locale: string
  buyer: Buyer
  /** BANK: the last moment a deposit is taken. */
  dueAt: Date | null
}

/** A bank account to pay into, for the method BANK. */
export interface BankAccount {
  bank: string
  number: string
  holder: string
  dueAt: Date
}

/** `providerRef` is the provider's own id; `redirectUrl` is its hosted page, null where nothing is to be done on one. */
export interface CreatedPayment {
  providerRef: string
  redirectUrl: string | null
  account: BankAccount | null
}

/** The provider did not answer, or not in words we know: nothing may be concluded from it. */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable'
}

export interface RefundAccount {
  bank: string
  number: string
  holder: string
}

/** How the registration of a card stands at the provider. `token` is what the card may be charged by. */
export interface ProviderCard {
  reference: CardId
  status: 'READY' | 'REGISTERED' | 'FAILED'
  failure: string | null
  /** The month it is good until; null where the provider does not tell. */
  card: {
    token: string
    issuer: string
    lastFour: string
    expiryMonth: number | null
    expiryYear: number | null
  } | null
}

/** Cards that members leave with the provider, to be charged without them. The same rules of failing and repeating hold. */
export interface CardVault {
  /** Answers the provider's page; it sends the browser back to `returnUrl`. The same reference answers the same registration. */
  register(
    merchant: Merchant,
    input: { reference: CardId; returnUrl: string; locale: string; buyer: Buyer },
  ): Promise<{ providerRef: string; redirectUrl: string }>
  /** Null when the provider has never heard of it. */
  query(merchant: Merchant, reference: CardId): Promise<ProviderCard | null>
  remove(merchant: Merchant, token: string): Promise<void>
  /**
   * Charges a card without its owner being there. `reference` is the id of our charge: asked again, the provider answers how that
   * charge stands and charges nothing more; `PaymentProvider.query` and `refund` know it by the same reference.
   */
  charge(
    merchant: Merchant,
    input: { reference: PaymentId; token: string; amount: Money; title: string },
  ): Promise<ProviderPayment>
}

/** A payment provider. Every call may throw `ProviderUnavailable`; none may run inside a database transaction of ours. */
export interface PaymentProvider {
  name: string
  /** The methods that work here, of which a tenant may offer some. */
  methods: readonly PaymentMethod[]
  /** Origins of its pages, where they are not the store's own. */
  pageOrigins: readonly string[]
  /** What it must know of a buyer besides the email. A payment is begun only once the member has given it. */
  buyerNeeds?: readonly ('name' | 'phone')[]
  /** Safe to repeat: the same reference answers the same payment. */
  createPayment(merchant: Merchant, input: CreatePayment): Promise<CreatedPayment>
  /** Null when the provider has never heard of it. */
  query(merchant: Merchant, reference: PaymentId): Promise<ProviderPayment | null>
  /** Closes a payment that has not been paid. Answers how it stands: a payment paid meanwhile stays PAID. */
  cancel(merchant: Merchant, reference: PaymentId): Promise<ProviderPayment | null>
  /**
   * Gives money back until `total` minor units have been given back in all, of what paid and of what was unapplied, never past what came in. Naming the total and not the
   * step makes it safe to repeat.
   */
  refund(
    merchant: Merchant,
    reference: PaymentId,
    total: number,
    /** BANK: where the money goes back to. */
    account?: RefundAccount,
    /** Refuses where the payment does not stand as paid: a deposit reversed meanwhile is not given back out of unapplied payment. */
    onlyWhilePaid?: boolean,
  ): Promise<{ code: 'REFUNDED'; payment: ProviderPayment } | { code: 'REFUSED'; reason: string }>
  /** Stored cards; null where the provider has none. */
  cards: CardVault | null
  verifyWebhook(headers: Headers, body: string, now: Date): Promise<ProviderEvent | OtherEvent | WebhookRefusal>
}

/** The provider's own ids, as our books have kept them; null where they have not. */
export interface KnownReferences {
  /** Of a payment, or of a charge of a stored card. */
  payment(merchant: Merchant, reference: PaymentId): Promise<string | null>
  card(merchant: Merchant, reference: CardId): Promise<string | null>
}

/** In the place of a provider that cannot be spoken with: it offers no method, and nothing may be concluded from it. */
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
  }
}

/** A webhook is refused when its signature is older, or further ahead, than this. */
export const signatureSeconds = 300

export const signatureHeader = 'x-webhook-signature'

const signatureOf = (secret: string, timestamp: string, body: string) =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')

/** `t=1764000000,v1=<hmac>`: the time is inside the signature, so that an overheard message cannot be sent again later. */
export const signWebhook = (secret: string, body: string, now: Date) => {
  const timestamp = Math.floor(now.getTime() / 1000).toString()
  return `t=${timestamp},v1=${signatureOf(secret, timestamp, body)}`
}

export const checkWebhook = (
  secret: string,
  header: string | null,
  body: string,
  now: Date,
): 'VALID' | 'SIGNATURE_INVALID' | 'SIGNATURE_TOO_OLD' => {
  const match = header?.match(/^t=(\d{1,12}),v1=([0-9a-f]{64})$/)
  const [, timestamp, given] = match ?? []
  if (!timestamp || !given) return 'SIGNATURE_INVALID'
  const due = signatureOf(secret, timestamp, body)
  if (!timingSafeEqual(Buffer.from(due, 'hex'), Buffer.from(given, 'hex'))) return 'SIGNATURE_INVALID'
  return Math.abs(now.getTime() / 1000 - Number(timestamp)) > signatureSeconds ? 'SIGNATURE_TOO_OLD' : 'VALID'
}
