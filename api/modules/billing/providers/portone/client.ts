import { type Payment, PaymentClient } from '@portone/server-sdk/payment'
import {
  type BankAccount,
  type Merchant,
  type ProviderPayment,
  ProviderUnavailable,
} from '#api/modules/billing/providers/provider.ts'
import { customerBase } from '#contract/http.ts'
import type { PaymentId } from '#contract/ids.ts'

const defaultTimeoutSeconds = 10

export interface ClientOptions {
  apiSecret: string
  storeId: string
  /** PortOne's own by default. Tests use a local server with the same protocol. */
  apiUrl?: string | undefined
  /** Timeout in seconds, 10 by default. */
  timeoutSeconds?: string | undefined
}

/** Returns the reason of a refusal by PortOne. Null for any other error. */
export const portOneRefusal = (error: unknown): string | null => {
  if (!(error instanceof Error) || !('data' in error)) return null
  const { data } = error
  const type = typeof data === 'object' && data !== null && 'type' in data ? data.type : null
  return typeof type === 'string' ? type : null
}

/** Refusals that concern the account and not a payment. */
const accountRefusals = new Set(['UNAUTHORIZED', 'FORBIDDEN'])

/** Whether PortOne refused the account, not a payment. */
export const isAccountRefusal = (error: unknown): boolean => accountRefusals.has(portOneRefusal(error) ?? '')

const withTimeout = <Answer>(work: () => Promise<Answer>, milliseconds: number): Promise<Answer> => {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ProviderUnavailable('PortOne did not answer in time')), milliseconds)
  })
  return Promise.race([work(), timeout]).finally(() => clearTimeout(timer))
}

/**
 * Creates PortOne's client, with `callPortOne`, which throws `ProviderUnavailable` for a time-out,
 * a lost connection or an unknown answer. Refusals by PortOne are rethrown unchanged.
 */
export const createClient = ({ apiSecret, storeId, apiUrl, timeoutSeconds }: ClientOptions) => {
  const client = PaymentClient({ secret: apiSecret, storeId, ...(apiUrl ? { baseUrl: apiUrl } : {}) })
  const milliseconds = Number(timeoutSeconds ?? defaultTimeoutSeconds) * 1000
  const callPortOne = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await withTimeout(work, milliseconds)
    } catch (error) {
      if (error instanceof ProviderUnavailable) throw error
      if (portOneRefusal(error) !== null && !isAccountRefusal(error)) throw error
      throw new ProviderUnavailable('PortOne did not answer', { cause: error })
    }
  }
  return { client, callPortOne }
}
export type Client = ReturnType<typeof createClient>

/** Returns the answer, or null if PortOne refuses for this reason. */
export const nullWhenRefused = async <Answer>(refusal: string, answer: Promise<Answer>): Promise<Answer | null> => {
  try {
    return await answer
  } catch (error) {
    if (portOneRefusal(error) === refusal) return null
    throw error
  }
}

/**
 * Banks for deposits and refunds by PortOne's code: the displayed name first, then aliases that
 * people use.
 */
const bankNames: Record<string, readonly string[]> = {
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

const normalizeBankName = (name: string) => name.toLowerCase().replaceAll(/[\s·().-]|은행$|bank$/g, '')

const bankCodes = new Map(
  Object.entries(bankNames).flatMap(([code, [first = code, ...others]]) =>
    [code, first, ...others].map((name) => [normalizeBankName(name), code] as const),
  ),
)

/** Returns PortOne's code for a bank name that a person typed, or null if it is unknown. */
export const bankCode = (name: string): string | null => bankCodes.get(normalizeBankName(name)) ?? null

/** Returns the name of a bank, or its code where the bank is unknown. */
const bankName = (code: string): string => bankNames[code]?.[0] ?? code

/** Whether PortOne knows a bank code. */
export const isBank = (code: string) => Object.hasOwn(bankNames, code)

/** Payments in a known format. */
export type KnownPayment = Extract<Payment, { id: string }>

/**
 * Returns the payment if its status is one that this version knows.
 * @throws `ProviderUnavailable` otherwise
 */
export const requireKnownStatus = (payment: Payment): KnownPayment => {
  if (!('id' in payment))
    throw new ProviderUnavailable(`PortOne answers a state that is not known: ${String(payment.status)}`)
  return payment
}

const cardOf = ({ method }: KnownPayment) => {
  const card = method && 'card' in method && method.type === 'PaymentMethodCard' ? method.card : null
  const lastFour = card?.number?.replaceAll(/[^\d*]/g, '').slice(-4)
  return card && lastFour ? { issuer: card.name ?? card.issuer ?? 'CARD', lastFour } : null
}

const depositOf = ({ method }: KnownPayment) =>
  method && 'accountNumber' in method && method.type === 'PaymentMethodVirtualAccount' ? method : null

/** Returns the account for a payment's deposit, or null if the payment has none. */
export const accountOf = (payment: KnownPayment, merchant: string, dueAt: Date): BankAccount | null => {
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
export const refundTotals = (payment: KnownPayment) => {
  const cancellations = 'cancellations' in payment ? (payment.cancellations ?? []) : []
  const sum = (status: string) =>
    cancellations.reduce(
      (total, payment) => total + (payment.status === status && 'totalAmount' in payment ? payment.totalAmount : 0),
      0,
    )
  return { done: sum('SUCCEEDED'), pending: sum('REQUESTED') }
}

/** Converts a payment to the provider interface. */
export const toProviderPayment = (reference: PaymentId, payment: KnownPayment): ProviderPayment => {
  const expiredAt = depositOf(payment)?.expiredAt
  const common = {
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
      return { ...common, status: 'PAID' }
    case 'CANCELLED':
      // A payment that was refunded in full was still paid. An account without a deposit was
      // closed.
      return payment.paidAt
        ? { ...common, status: 'PAID' }
        : { ...common, status: 'CANCELLED', failure: 'CLOSED_BY_STORE', refunded: 0 }
    case 'FAILED':
      return { ...common, status: 'FAILED', failure: payment.failure.pgCode ?? payment.failure.reason ?? 'DECLINED' }
    case 'PAY_PENDING':
      return { ...common, status: 'PROCESSING' }
    case 'READY':
    case 'VIRTUAL_ACCOUNT_ISSUED':
      return { ...common, status: 'READY' }
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
