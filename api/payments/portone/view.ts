import type { Payment } from '@portone/server-sdk/payment'
import type { PaymentId } from '#contract/ids.ts'
import { type BankAccount, type ProviderPayment, ProviderUnavailable } from '../port.ts'
import { bankName } from './banks.ts'

/** The payments whose form we know. */
type Known = Extract<Payment, { id: string }>

export const known = (payment: Payment): Known => {
  if (!('id' in payment))
    throw new ProviderUnavailable(`PortOne answers a state that is not known: ${String(payment.status)}`)
  return payment
}

const cardOf = ({ method }: Known) => {
  const card = method && 'card' in method && method.type === 'PaymentMethodCard' ? method.card : null
  const lastFour = card?.number?.replaceAll(/[^\d*]/g, '').slice(-4)
  return card && lastFour ? { issuer: card.name ?? card.issuer ?? 'CARD', lastFour } : null
}

const depositOf = ({ method }: Known) =>
  method && 'accountNumber' in method && method.type === 'PaymentMethodVirtualAccount' ? method : null

/** The account a deposit is paid into; null for a payment without one. */
export const accountOf = (payment: Known, merchant: string, dueAt: Date): BankAccount | null => {
  const deposit = depositOf(payment)
  if (!deposit) return null
  return {
    bank: bankName(deposit.bank ?? ''),
    number: deposit.accountNumber,
    holder: deposit.remitteeName ?? merchant,
    dueAt: deposit.expiredAt ? new Date(deposit.expiredAt) : dueAt,
  }
}

/** What was given back, or is on its way: PortOne may take its time with a bank. */
export const givenBack = (payment: Known) => {
  const cancellations = 'cancellations' in payment ? (payment.cancellations ?? []) : []
  const sum = (status: string) =>
    cancellations.reduce(
      (total, one) => total + (one.status === status && 'totalAmount' in one ? one.totalAmount : 0),
      0,
    )
  return { done: sum('SUCCEEDED'), underWay: sum('REQUESTED') }
}

/** A payment in the port's words. */
export const view = (reference: PaymentId, payment: Known): ProviderPayment => {
  const expiredAt = depositOf(payment)?.expiredAt
  const seen = {
    ...{ reference, card: cardOf(payment), failure: null, undue: [] },
    amount: { amount: payment.amount.total, currency: payment.currency },
    refunded: givenBack(payment).done,
    dueAt: expiredAt ? new Date(expiredAt) : null,
  }
  switch (payment.status) {
    case 'PAID':
    case 'PARTIAL_CANCELLED':
      return { ...seen, status: 'PAID' }
    case 'CANCELLED':
      // What was paid and went back whole was paid all the same; an account nobody paid into was closed.
      return payment.paidAt
        ? { ...seen, status: 'PAID' }
        : { ...seen, status: 'CANCELLED', failure: 'CLOSED_BY_STORE', refunded: 0 }
    case 'FAILED':
      return { ...seen, status: 'FAILED', failure: payment.failure.pgCode ?? payment.failure.reason ?? 'DECLINED' }
    case 'PAY_PENDING':
      return { ...seen, status: 'PROCESSING' }
    case 'READY':
    case 'VIRTUAL_ACCOUNT_ISSUED':
      return { ...seen, status: 'READY' }
    default:
      return payment satisfies never
  }
}
