import { findOrder, type OrderRow } from '#api/db/queries/orders.ts'
import { type PaymentRow, updatePayment } from '#api/db/queries/payments.ts'
import { type Failure, failure, isFailure } from '#api/domain/failure.ts'
import { viewPayment } from '#api/domain/orders/view-order.ts'
import { type CreatedPayment, ProviderUnavailable } from '#api/payments/port.ts'
import type { PaymentMethod } from '#contract/enumerations.ts'
import type { OrderCode, PaymentId } from '#contract/ids.ts'
import type { Payment } from '#contract/orders.ts'
import { type Begun, begin, noProvider } from './begin-payment.ts'
import { buyerOf, checkBuyer } from './buyer.ts'
import { closePayment } from './close-payment.ts'
import { type MemberPaymentEnv, merchantOf } from './env.ts'
import { issueDeposit } from './issue-deposit.ts'
import { offeredMethods } from './methods.ts'
import { orderTitle } from './order-title.ts'

export interface PaymentStart {
  code: OrderCode
  method: PaymentMethod
  returnUrl: string
  /** The language the person reads, for the provider's page. */
  locale: string
}

/** Windows that begin to pay at one moment close each other's payments; so often before one of them gives up. */
const attempts = 20

/**
 * Begins to pay an order and answers where the browser goes. Asked again while a payment is open, it leads to the same one; another
 * method closes that one first, and an order that waits for a deposit is paid by card instead. Other open payments of the member for
 * the same products are closed, so that two windows cannot pay for one product twice; while the provider does not say how one of them
 * stands, nothing new is begun. A bank account is issued at once and there is no page to go to. An order of nothing is complete.
 */
export const startPayment = async (
  env: MemberPaymentEnv,
  input: PaymentStart,
): Promise<{ payment: Payment; redirectUrl: string } | Failure> => {
  if (!offeredMethods(env).includes(input.method)) {
    return failure('VALIDATION_FAILED', { errors: { method: ['Choose one of the available payment methods.'] } })
  }
  const order = await env.inTransaction((ctx) => findOrder(ctx.db, ctx.customer.id, env.actor.memberId, input.code))
  if (!order) return failure('NOT_FOUND')
  const missing = order.totalAmount > 0 ? await checkBuyer(env) : null
  if (missing) return missing

  const begun = await beginAlone(env, order, input.method)
  if (isFailure(begun)) return begun
  const { payment } = begun
  const backTo = returnPath(input.returnUrl, order.code, payment.id)
  if (payment.provider === noProvider) return { payment: viewPayment(payment), redirectUrl: backTo }

  const created = await create(env, begun, input, backTo)
  if (!created) return failure('PROVIDER_UNAVAILABLE')
  const kept = created.account ? await issueDeposit(env, payment, created) : await keepReference(env, payment, created)
  if (isFailure(kept)) return kept
  return { payment: viewPayment(kept.payment), redirectUrl: created.redirectUrl ?? backTo }
}

const keepReference = async (env: MemberPaymentEnv, payment: PaymentRow, { providerRef }: CreatedPayment) => ({
  payment: await env.inTransaction((ctx) => updatePayment(ctx.db, payment, { providerRef })),
})

/** Null where the provider does not answer. */
const create = async (
  env: MemberPaymentEnv,
  { payment, items }: Begun,
  { method, locale }: PaymentStart,
  returnUrl: string,
): Promise<CreatedPayment | null> => {
  const titles = items.map((item) => item.productTitle)
  const buyer = await buyerOf(env)
  try {
    return await env.providerNamed(payment.provider).createPayment(merchantOf(env), {
      reference: payment.id as PaymentId,
      method,
      amount: { amount: payment.amount, currency: payment.currency },
      title: orderTitle(titles, locale),
      returnUrl,
      locale,
      buyer,
      dueAt: payment.dueAt === null ? null : new Date(payment.dueAt),
    })
  } catch (error) {
    if (error instanceof ProviderUnavailable) return null
    throw error
  }
}

/** Begins once no other payment for the same products is open. */
const beginAlone = async (env: MemberPaymentEnv, order: OrderRow, method: PaymentMethod) => {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const begun = await env.inTransaction((ctx) => begin(ctx, env.actor, order.id, method, env.provider.name))
    if (!('inTheWay' in begun)) return begun
    for (const { id } of begun.inTheWay) await closePayment(env, id as PaymentId, begun.why)
  }
  return failure('PROVIDER_UNAVAILABLE')
}

/** The path the provider sends the browser back to, with what was paid in its query. */
const returnPath = (path: string, order: string, payment: string) => {
  const url = new URL(path, 'http://store.invalid')
  url.searchParams.set('order', order)
  url.searchParams.set('payment', payment)
  return `${url.pathname}${url.search}${url.hash}`
}
