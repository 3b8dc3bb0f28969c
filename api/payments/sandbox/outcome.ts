import type { sandboxPayments } from '#api/db/schema/sandbox.ts'
import type { Payment } from '#contract/orders.ts'
import {
  type AcceptedCard,
  type CardBehaviour,
  challengeCode,
  duplicateCount,
  lateSeconds,
  silentSeconds,
} from './cards.ts'

export type SandboxPayment = typeof sandboxPayments.$inferSelect
type Status = Payment['status']

/** A message to the store about a change: how often it is sent, and after how many seconds. */
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
  /** What the person sees next. */
  page: 'RETURN' | 'CHALLENGE' | 'TIMEOUT'
}

const refused = (failure: string): Outcome => ({
  status: 'FAILED',
  failure,
  announcement: { type: 'payment.failed', times: 1, afterSeconds: 0 },
  page: 'RETURN',
})

const paid: Outcome = {
  status: 'PAID',
  failure: null,
  announcement: { type: 'payment.paid', times: 1, afterSeconds: 0 },
  page: 'RETURN',
}

/** What comes of a card on an open payment. */
export const payWith = ({ behaviour }: AcceptedCard): Outcome => {
  switch (behaviour) {
    case 'SUCCESS':
    case 'REFUND_REFUSED':
      return paid
    case 'DECLINED':
      return refused('CARD_DECLINED')
    case 'INSUFFICIENT_FUNDS':
      return refused('INSUFFICIENT_FUNDS')
    case 'CHALLENGE':
      return { status: 'PROCESSING', failure: null, announcement: null, page: 'CHALLENGE' }
    case 'TIMEOUT_AFTER_CHARGE':
      // Charged, but nobody is told, and whoever asks at once gets no answer: only a store that asks again finds the money.
      return { ...paid, announcement: null, page: 'TIMEOUT' }
    case 'LATE_WEBHOOK':
      return { ...paid, announcement: { type: 'payment.paid', times: 1, afterSeconds: lateSeconds } }
    case 'DUPLICATE_WEBHOOK':
      return { ...paid, announcement: { type: 'payment.paid', times: duplicateCount, afterSeconds: 0 } }
    default:
      return behaviour satisfies never
  }
}

/** What comes of the challenge step; null when the code is wrong and may be tried again. */
export const answerChallenge = (code: string): Outcome | null => (code.trim() === challengeCode ? paid : null)

/** The person goes back without paying, or the store closes the payment. */
export const closed = (failure: 'CANCELLED_BY_BUYER' | 'CLOSED_BY_STORE'): Outcome => ({
  status: 'CANCELLED',
  failure,
  announcement: { type: 'payment.cancelled', times: 1, afterSeconds: 0 },
  page: 'RETURN',
})

/**
 * How a payment stands to whoever asks now: a late one is still under way until its time, another gives no answer until then, and an
 * account whose time is over is closed.
 */
export const standingNow = (
  payment: Pick<SandboxPayment, 'status' | 'scenario' | 'chargedAt' | 'dueAt'>,
  now: Date,
): Status | 'SILENT' | 'EXPIRED' => {
  const status = payment.status as Status
  if (status === 'READY' && payment.dueAt !== null && Date.parse(payment.dueAt) <= now.getTime()) return 'EXPIRED'
  const scenario = payment.scenario as CardBehaviour | null
  if (status !== 'PAID' || payment.chargedAt === null) return status
  const seconds = (now.getTime() - Date.parse(payment.chargedAt)) / 1000
  if (scenario === 'LATE_WEBHOOK' && seconds < lateSeconds) return 'PROCESSING'
  if (scenario === 'TIMEOUT_AFTER_CHARGE' && seconds < silentSeconds) return 'SILENT'
  return status
}
