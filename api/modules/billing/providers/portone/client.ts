import { type Payment, PaymentClient } from '@portone/server-sdk/payment'
import {
  type BankAccount,
  type Merchant,
  type ProviderPayment,
  ProviderUnavailable,
} from '#api/modules/billing/providers/provider.ts'
import type { PaymentId } from '#contract/ids.ts'
import { customerBase } from '#contract/index.ts'

const patience = 10

export interface ClientOptions {
  apiSecret: string
  storeId: string
  /** PortOne's own by default. Tests use a local server with the same protocol. */
  apiUrl?: string | undefined
  /** Timeout in seconds, 10 by default. */
  timeoutSeconds?: string | undefined
}

/** Returns the reason of a refusal by PortOne. Null for any other error. */
export const refusalOf = (error: unknown): string | null => {
  if (!(error instanceof Error) || !('data' in error)) return null
  const { type } = error.data as { type?: unknown }
  return typeof type === 'string' ? type : null
}

/** Refusals that concern the account and not a payment. */
const ofTheAccount = new Set(['UNAUTHORIZED', 'FORBIDDEN'])

const asking = <Answer>(work: () => Promise<Answer>, milliseconds: number): Promise<Answer> => {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ProviderUnavailable('PortOne did not answer in time')), milliseconds)
  })
  return Promise.race([work(), tooLate]).finally(() => clearTimeout(timer))
}

/**
 * Creates PortOne's client, with `speaking`, which throws `ProviderUnavailable` for a time-out, a
 * lost connection or an unknown answer. Refusals by PortOne are rethrown unchanged.
 */
export const createClient = ({ apiSecret, storeId, apiUrl, timeoutSeconds }: ClientOptions) => {
  const client = PaymentClient({ secret: apiSecret, storeId, ...(apiUrl ? { baseUrl: apiUrl } : {}) })
  const milliseconds = Number(timeoutSeconds ?? patience) * 1000
  const speaking = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await asking(work, milliseconds)
    } catch (error) {
      if (error instanceof ProviderUnavailable) throw error
      const refusal = refusalOf(error)
      if (refusal !== null && !ofTheAccount.has(refusal)) throw error
      throw new ProviderUnavailable('PortOne did not answer', { cause: error })
    }
  }
  return { client, speaking }
}
export type Client = ReturnType<typeof createClient>

/** Returns the answer, or null if PortOne refuses for this reason. */
export const unless = async <Answer>(refusal: string, answer: Promise<Answer>): Promise<Answer | null> => {
  try {
    return await answer
  } catch (error) {
    if (refusalOf(error) === refusal) return null
    throw error
  }
}

/**
 * Banks for deposits and refunds by PortOne's code: the displayed name first, then aliases that
 * people use.
 */
const names: Record<string, readonly string[]> = {
  KOOKMIN: ['KB국민은행', '국민', '국민은행', 'KB', 'KB Kookmin', 'Kookmin'],
  SHINHAN: ['신한은행', '신한', 'Shinhan'],
  WOORI: ['우리은행', '우리', 'Woori'],
  HANA: ['하나은행', '하나', 'KEB하나', 'Hana'],
  NONGHYUP: ['NH농협은행', '농협', '농협은행', 'NH', 'Nonghyup'],
  LOCAL_NONGHYUP: ['지역농축협', '단위농협', '축협'],
  IBK: ['IBK기업은행', '기업', '기업은행', 'Industrial Bank of Korea'],
  KDB: ['KDB산업은행', '산업', '산업은행'],
  STANDARD_CHARTERED: ['SC제일은행', '제일', 'SC제일', 'Standard Chartered'],
  CITI: ['한국씨티은행', '씨티', '씨티은행', 'Citibank'],
  SUHYUP: ['수협은행', '수협', 'Suhyup'],
  DAEGU: ['iM뱅크', '대구', '대구은행', 'Daegu'],
  BUSAN: ['부산은행', '부산', 'Busan'],
  KYONGNAM: ['경남은행', '경남', 'Kyongnam'],
  KWANGJU: ['광주은행', '광주', 'Kwangju'],
  JEONBUK: ['전북은행', '전북', 'Jeonbuk'],
  JEJU: ['제주은행', '제주', 'Jeju'],
  KFCC: ['새마을금고', '새마을', 'MG', 'MG새마을금고'],
  SHINHYUP: ['신협', '신용협동조합', 'Shinhyup'],
  SAVINGS_BANK: ['저축은행', '상호저축은행'],
  POST: ['우체국', '우체국예금', 'Korea Post'],
  K_BANK: ['케이뱅크', 'K뱅크', 'K bank'],
  KAKAO: ['카카오뱅크', '카카오', 'Kakao bank'],
  TOSS: ['토스뱅크', '토스', 'Toss bank'],
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[\s·().-]|은행$|bank$/g, '')

const codes = new Map(
  Object.entries(names).flatMap(([code, [first = code, ...others]]) =>
    [code, first, ...others].map((name) => [plain(name), code] as const),
  ),
)

/** Returns PortOne's code for a bank name that a person typed, or null if it is unknown. */
export const bankCode = (name: string): string | null => codes.get(plain(name)) ?? null

export const bankName = (code: string): string => names[code]?.[0] ?? code

export const isBank = (code: string) => Object.hasOwn(names, code)

/** Payments in a known format. */
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

/** Returns the account for a payment's deposit, or null if the payment has none. */
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

/** Amounts refunded or in progress: PortOne may take time with a bank refund. */
export const refundTotals = (payment: Known) => {
  const cancellations = 'cancellations' in payment ? (payment.cancellations ?? []) : []
  const sum = (status: string) =>
    cancellations.reduce(
      (total, one) => total + (one.status === status && 'totalAmount' in one ? one.totalAmount : 0),
      0,
    )
  return { done: sum('SUCCEEDED'), underWay: sum('REQUESTED') }
}

/** Converts a payment to the provider interface. */
export const view = (reference: PaymentId, payment: Known): ProviderPayment => {
  const expiredAt = depositOf(payment)?.expiredAt
  const seen = {
    reference,
    card: cardOf(payment),
    failure: null,
    unapplied: [],
    amount: { amount: payment.amount.total, currency: payment.currency },
    refunded: refundTotals(payment).done,
    dueAt: expiredAt ? new Date(expiredAt) : null,
  }
  switch (payment.status) {
    case 'PAID':
    case 'PARTIAL_CANCELLED':
      return { ...seen, status: 'PAID' }
    case 'CANCELLED':
      // A payment that was refunded in full was still paid. An account without a deposit was
      // closed.
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

/**
 * Webhook addresses for PortOne. It accepts only https; for other addresses, those of its console
 * apply.
 */
export const noticeUrls = ({ origin, code }: Merchant) =>
  origin.startsWith('https:') ? { noticeUrls: [`${origin}${customerBase(code)}/webhooks/portone`] } : {}
