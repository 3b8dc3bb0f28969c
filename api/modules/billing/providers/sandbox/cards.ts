import * as z from 'zod/mini'
import type { Payment } from '#contract/orders.ts'

// The sandbox's own ids, as another provider would have its own.

export const sandboxPaymentId = z.uuid().brand<'SandboxPaymentId'>()
export type SandboxPaymentId = z.output<typeof sandboxPaymentId>
export const sandboxDepositId = z.uuid().brand<'SandboxDepositId'>()
export type SandboxDepositId = z.output<typeof sandboxDepositId>
export const sandboxCardId = z.uuid().brand<'SandboxCardId'>()
export type SandboxCardId = z.output<typeof sandboxCardId>

/** The behaviour of a sandbox card. The page lists the accepted cards; all others are declined. */
export type CardBehaviour =
  | 'SUCCESS'
  | 'DECLINED'
  | 'INSUFFICIENT_FUNDS'
  | 'CHALLENGE'
  | 'TIMEOUT_AFTER_CHARGE'
  | 'LATE_WEBHOOK'
  | 'DUPLICATE_WEBHOOK'
  | 'REFUND_REFUSED'

export const testCards = [
  { number: '4242424242424242', behaviour: 'SUCCESS' },
  { number: '4000000000000002', behaviour: 'DECLINED' },
  { number: '4000000000009995', behaviour: 'INSUFFICIENT_FUNDS' },
  { number: '4000000000003220', behaviour: 'CHALLENGE' },
  { number: '4000000000000119', behaviour: 'TIMEOUT_AFTER_CHARGE' },
  { number: '4000000000000259', behaviour: 'LATE_WEBHOOK' },
  { number: '4000000000000077', behaviour: 'DUPLICATE_WEBHOOK' },
  { number: '4000000000005126', behaviour: 'REFUND_REFUSED' },
] as const satisfies readonly { number: string; behaviour: CardBehaviour }[]

/** The code of the challenge step. */
export const challengeCode = '123456'

/** Seconds until a late payment is settled at the sandbox and its webhook is sent. */
export const lateSeconds = 5

/** Seconds during which the sandbox does not answer after a charge whose connection was lost. */
const silentSeconds = 2

/** How many times a duplicate webhook is sent. */
export const duplicateCount = 3

/** Groups the digits of a card number by four. */
export const formatCardNumber = (number: string) => number.replace(/(.{4})(?=.)/g, '$1 ')

/** Checks the check digit of a card number. */
const passesLuhn = (number: string) => {
  const digits = [...number].reverse().map(Number)
  const sum = digits.reduce((total, digit, place) => {
    const doubled = place % 2 === 1 ? digit * 2 : digit
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

const issuers: readonly [RegExp, string][] = [
  [/^4/, 'Visa'],
  [/^(5[1-5]|2[2-7])/, 'Mastercard'],
  [/^3[47]/, 'American Express'],
  [/^(352[89]|35[3-8])/, 'JCB'],
  [/^6/, 'Discover'],
]

/** Returns the brand of a card number, or `Card` where it is unknown. */
const issuerOf = (number: string) => issuers.find(([pattern]) => pattern.test(number))?.[1] ?? 'Card'

interface Expiry {
  /** 1 to 12. */
  month: number
  year: number
}

export interface CardForm {
  number: string
  expiry: string
  cvc: string
  name: string
}
export type CardField = keyof CardForm

export interface AcceptedCard {
  issuer: string
  lastFour: string
  behaviour: CardBehaviour
  expiry: Expiry
}

/**
 * Reads the card form. Returns the card's storable data (issuer, last four digits) with its
 * behaviour, or the invalid fields. A realistic number that is not on the list is declined, so that
 * no real card ever counts as paid.
 */
export const readCard = (form: CardForm, now: Date): AcceptedCard | { wrong: CardField[] } => {
  const number = digitsOf(form.number)
  const expiry = readExpiry(form.expiry)
  const wrong: CardField[] = []
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) wrong.push('number')
  if (!expiry || isExpired(expiry, now)) wrong.push('expiry')
  if (!/^\d{3,4}$/.test(form.cvc.trim())) wrong.push('cvc')
  if (form.name.trim().length < 2 || form.name.length > 100) wrong.push('name')
  if (wrong.length > 0 || !expiry) return { wrong }
  const behaviour = testCards.find((card) => card.number === number)?.behaviour ?? 'DECLINED'
  return { issuer: issuerOf(number), lastFour: number.slice(-4), behaviour, expiry }
}

const digitsOf = (number: string) => number.replace(/[\s-]/g, '')

/** Returns the month and year of an expiry date such as `08 / 30`, or null. */
const readExpiry = (text: string): Expiry | null => {
  const [, month, year] = text.trim().match(/^(\d{1,2})\s*[/-]?\s*(?:20)?(\d{2})$/) ?? []
  const expiry = { month: Number(month), year: 2000 + Number(year) }
  return expiry.month >= 1 && expiry.month <= 12 ? expiry : null
}

/** A card is valid until the last day of its month in every time zone. */
const isExpired = ({ month, year }: Expiry, now: Date) => Date.UTC(year, month, 1, 12) <= now.getTime()

/** The behaviour of a stored sandbox card, at registration and at later charges. */
export type StoredBehaviour =
  | 'SUCCESS'
  | 'CHALLENGE'
  | 'DECLINED'
  | 'DECLINED_LATER'
  | 'INSUFFICIENT_FUNDS'
  | 'RENEWALS_DECLINED'
  | 'RECOVERS'
  | 'TIMEOUT_AFTER_CHARGE'
  | 'LATE_WEBHOOK'
  | 'EXPIRES_SOON'

export const storedTestCards = [
  { number: '4242424242424242', behaviour: 'SUCCESS' },
  { number: '4000000000003220', behaviour: 'CHALLENGE' },
  { number: '4000000000000002', behaviour: 'DECLINED' },
  { number: '4000000000000341', behaviour: 'DECLINED_LATER' },
  { number: '4000000000009995', behaviour: 'INSUFFICIENT_FUNDS' },
  { number: '4000000000000705', behaviour: 'RENEWALS_DECLINED' },
  { number: '4000000000000804', behaviour: 'RECOVERS' },
  { number: '4000000000000119', behaviour: 'TIMEOUT_AFTER_CHARGE' },
  { number: '4000000000000259', behaviour: 'LATE_WEBHOOK' },
  { number: '4000000000000903', behaviour: 'EXPIRES_SOON' },
] as const satisfies readonly { number: string; behaviour: StoredBehaviour }[]

/** The number of charges after the first that a recovering card declines. */
const declinesBeforeRecovery = 2

export interface StoredCard extends Pick<AcceptedCard, 'issuer' | 'lastFour'> {
  behaviour: StoredBehaviour
  expiryMonth: number
  expiryYear: number
}

/**
 * Reads the form for a stored card. Returns its storable data or the invalid fields. Cards that are
 * not on the list are declined.
 */
export const readStoredCard = (form: CardForm, now: Date): StoredCard | { wrong: CardField[] } => {
  const accepted = readCard(form, now)
  if ('wrong' in accepted) return accepted
  const number = digitsOf(form.number)
  const behaviour = storedTestCards.find((card) => card.number === number)?.behaviour ?? 'DECLINED'
  const { issuer, lastFour } = accepted
  // The month that has begun in the earliest of all time zones has ended in none.
  const earliest = new Date(now.getTime() + 14 * 3_600_000)
  const { month, year } =
    behaviour === 'EXPIRES_SOON'
      ? { month: earliest.getUTCMonth() + 1, year: earliest.getUTCFullYear() }
      : accepted.expiry
  return { issuer, lastFour, behaviour, expiryMonth: month, expiryYear: year }
}

/**
 * Returns the result of a charge: null if it is paid, else the provider's decline code. `before` is
 * the number of earlier charges of the card.
 */
export const declineOf = (
  card: { behaviour: StoredBehaviour; expiryMonth: number; expiryYear: number },
  before: number,
  now: Date,
): string | null => {
  if (isExpired({ month: card.expiryMonth, year: card.expiryYear }, now)) return 'CARD_EXPIRED'
  switch (card.behaviour) {
    case 'DECLINED':
    case 'DECLINED_LATER':
      return 'CARD_DECLINED'
    case 'INSUFFICIENT_FUNDS':
      return 'INSUFFICIENT_FUNDS'
    case 'RENEWALS_DECLINED':
      return before > 0 ? 'CARD_DECLINED' : null
    case 'RECOVERS':
      return before > 0 && before <= declinesBeforeRecovery ? 'INSUFFICIENT_FUNDS' : null
    case 'SUCCESS':
    case 'CHALLENGE':
    case 'TIMEOUT_AFTER_CHARGE':
    case 'LATE_WEBHOOK':
    case 'EXPIRES_SOON':
      return null
    default:
      return card.behaviour satisfies never
  }
}

type Status = Payment['status']

/** A webhook about a change: how often it is sent, and after how many seconds. */
export interface Announcement {
  type:
    | 'payment.paid'
    | 'payment.failed'
    | 'payment.cancelled'
    | 'payment.refunded'
    | 'payment.deposited'
    | 'payment.reversed'
  times: number
  afterSeconds: number
}

export interface Outcome {
  status: Status
  failure: string | null
  announcement: Announcement | null
  /** The page that the buyer sees next. */
  page: 'RETURN' | 'CHALLENGE' | 'TIMEOUT'
}

const declinedOutcome = (failure: string): Outcome => ({
  status: 'FAILED',
  failure,
  announcement: { type: 'payment.failed', times: 1, afterSeconds: 0 },
  page: 'RETURN',
})

const paidOutcome: Outcome = {
  status: 'PAID',
  failure: null,
  announcement: { type: 'payment.paid', times: 1, afterSeconds: 0 },
  page: 'RETURN',
}

/** Returns the outcome of a card on an open payment. */
export const outcomeOfPayment = ({ behaviour }: AcceptedCard): Outcome => {
  switch (behaviour) {
    case 'SUCCESS':
    case 'REFUND_REFUSED':
      return paidOutcome
    case 'DECLINED':
      return declinedOutcome('CARD_DECLINED')
    case 'INSUFFICIENT_FUNDS':
      return declinedOutcome('INSUFFICIENT_FUNDS')
    case 'CHALLENGE':
      return { status: 'PROCESSING', failure: null, announcement: null, page: 'CHALLENGE' }
    case 'TIMEOUT_AFTER_CHARGE':
      // Charged, but no webhook is sent, and immediate queries get no answer. Only a store that
      // queries again finds the payment.
      return { ...paidOutcome, announcement: null, page: 'TIMEOUT' }
    case 'LATE_WEBHOOK':
      return { ...paidOutcome, announcement: { type: 'payment.paid', times: 1, afterSeconds: lateSeconds } }
    case 'DUPLICATE_WEBHOOK':
      return { ...paidOutcome, announcement: { type: 'payment.paid', times: duplicateCount, afterSeconds: 0 } }
    default:
      return behaviour satisfies never
  }
}

/**
 * Returns the outcome of the challenge step. Null if the code is wrong and can be entered again.
 */
export const answerChallenge = (code: string): Outcome | null => (code.trim() === challengeCode ? paidOutcome : null)

/** The buyer cancels, or the store closes the payment. */
export const closedOutcome = (failure: 'CANCELLED_BY_BUYER' | 'CLOSED_BY_STORE'): Outcome => ({
  status: 'CANCELLED',
  failure,
  announcement: { type: 'payment.cancelled', times: 1, afterSeconds: 0 },
  page: 'RETURN',
})

/**
 * Returns the status of a payment at a given time: a late one is processing until its time, one
 * without a connection gets no answer until then, and an overdue account is expired.
 */
export const statusAt = (
  payment: { status: Status; scenario: string | null; chargedAt: string | null; dueAt: string | null },
  now: Date,
): Status | 'SILENT' | 'EXPIRED' => {
  const { status, scenario } = payment
  if (status === 'READY' && payment.dueAt !== null && Date.parse(payment.dueAt) <= now.getTime()) return 'EXPIRED'
  if (status !== 'PAID' || payment.chargedAt === null) return status
  const seconds = (now.getTime() - Date.parse(payment.chargedAt)) / 1000
  if (scenario === 'LATE_WEBHOOK' && seconds < lateSeconds) return 'PROCESSING'
  if (scenario === 'TIMEOUT_AFTER_CHARGE' && seconds < silentSeconds) return 'SILENT'
  return status
}
