import { ProviderUnavailable } from '#api/modules/billing/providers/provider.ts'
import { expiredDeposits, expiredDrafts } from '#api/modules/orders/due-orders.queries.ts'
import { lockOrder, type OrderRow } from '#api/modules/orders/orders.queries.ts'
import type { PaymentId } from '#contract/ids.ts'
import { askAgainAt, atProvider, type Closure, failOrder, merchantOf, type PaymentEnv } from './payment-states.ts'
import { accountsInTurn, findPayment, openPayments, stalePayments, updatePayment } from './payments.queries.ts'
import { refundDue } from './refund-payments.ts'
import { apply, endUnpaid, type Settlement, settle } from './settle-payment.ts'

/**
 * Closes a payment that must not be paid any more, at the provider first: one that was paid meanwhile is settled as paid instead.
 * `why` becomes the order's failure.
 */
export const closePayment = async (given: PaymentEnv, paymentId: PaymentId, why: Closure): Promise<Settlement> => {
  const known = await given.inTransaction((ctx) => findPayment(ctx.db, ctx.customer.id, paymentId))
  if (!known) return 'UNKNOWN_PAYMENT'
  const env = atProvider(given, known)
  const askedAt = env.clock.now()
  try {
    const answer = await env.provider.cancel(merchantOf(env), paymentId)
    if (answer) {
      const ours = answer.failure === 'CLOSED_BY_STORE' || answer.failure === 'DEPOSIT_EXPIRED'
      return await apply(env, { ...answer, askedAt }, 'RECONCILE', ours ? why : undefined)
    }
  } catch (error) {
    if (error instanceof ProviderUnavailable) return 'WAITING'
    throw error
  }
  // The provider has never heard of it: we stopped between writing it down and asking for it.
  return env.inTransaction(async (ctx) => {
    const payment = await findPayment(ctx.db, ctx.customer.id, paymentId)
    const order = payment && (await lockOrder(ctx.db, ctx.customer.id, payment.orderId))
    if (!order || payment.status !== 'READY') return 'SETTLED_BEFORE'
    await updatePayment(ctx.db, payment, {
      status: 'CANCELLED',
      failure: why,
      settledAt: ctx.clock.now().toISOString(),
    })
    await endUnpaid(ctx, order, why)
    return 'FAILED'
  })
}

/** A person is given this long on the provider's page before we ask by ourselves. */
const staleSeconds = 60
const atOnce = 200
/** Accounts asked about in one pass, and for how long after they were settled: banks are slow to take money back. */
const accountsAtOnce = 100
const accountDays = 30
/** A deposit whose message was lost is found within an hour, as long as there are no more accounts than an hour has turns. */
const accountPause = 3_600_000

/**
 * Brings one tenant's payments in line with the provider: asks about those under way for a while and about accounts, closes drafts and
 * deposits whose time is over (paid meanwhile: completes them), and gives back what is owed. Safe to run at any time and in several
 * processes. A payment that throws is logged. Each has its turn, the longest waiting first; one that stays as it is waits longer and
 * longer for the next, and holds up no other.
 */
export const reconcile = async (env: PaymentEnv): Promise<void> => {
  const now = env.clock.now()
  const drafts = await env.inTransaction((ctx) => expiredDrafts(ctx.db, ctx.customer.id, now, atOnce))
  for (const { id } of drafts) await apart(env, { orderId: id }, () => close(env, id, 'ABANDONED'))
  const deposits = await env.inTransaction((ctx) => expiredDeposits(ctx.db, ctx.customer.id, now, atOnce))
  for (const { id } of deposits) await apart(env, { orderId: id }, () => close(env, id, 'DEPOSIT_EXPIRED'))

  const before = new Date(now.getTime() - staleSeconds * 1000)
  const stale = await env.inTransaction((ctx) => stalePayments(ctx.db, ctx.customer.id, before, now, atOnce))
  for (const payment of stale) await askAbout(env, payment)
  const since = new Date(now.getTime() - accountDays * 86_400_000)
  const accounts = await env.inTransaction((ctx) => accountsInTurn(ctx.db, ctx.customer.id, since, now, accountsAtOnce))
  for (const payment of accounts) await askAbout(env, payment, accountPause)
  await refundDue(env)
}

const askAbout = async (env: PaymentEnv, payment: { id: PaymentId; createdAt: string }, longest?: number) => {
  await apart(env, { paymentId: payment.id }, () => settle(env, payment.id, 'RECONCILE'))
  await putOff(env, payment, longest)
}

/** Gives a payment its next turn, whatever came of this one. */
const putOff = (env: PaymentEnv, { id, createdAt }: { id: PaymentId; createdAt: string }, longest?: number) =>
  env.inTransaction(async ({ db, customer, clock }) => {
    const askAt = askAgainAt(clock.now(), createdAt, longest)
    await updatePayment(db, { customerId: customer.id, id }, { askAt })
  })

const close = async (env: PaymentEnv, orderId: string, why: 'ABANDONED' | 'DEPOSIT_EXPIRED') => {
  const open = await env.inTransaction((ctx) => openPayments(ctx.db, ctx.customer.id, [orderId]))
  for (const payment of open) {
    const settlement = await apart(env, { paymentId: payment.id }, () => closePayment(env, payment.id, why))
    if (settlement === null || settlement === 'WAITING') await putOff(env, payment)
  }
  if (open.length > 0) return
  await env.inTransaction(async (ctx) => {
    const order = await lockOrder(ctx.db, ctx.customer.id, orderId)
    const begun = order ? await openPayments(ctx.db, ctx.customer.id, [order.id]) : []
    if (order && begun.length === 0 && isOver(order, ctx.clock.now())) await failOrder(ctx, order, why)
  })
}

/** Asked again under the lock: a reversal may have given it more time. */
const isOver = ({ status, expiresAt, depositDeadline }: OrderRow, now: Date) => {
  const end = status === null ? expiresAt : status === 'DEPOSIT_WAITING' ? depositDeadline : null
  return end !== null && Date.parse(end) <= now.getTime()
}

/** Does the work; null where it throws, which is logged. */
const apart = async <Answer>(env: PaymentEnv, about: Record<string, string>, work: () => Promise<Answer>) => {
  try {
    return await work()
  } catch (error) {
    env.log.error({ err: error, ...about }, 'A payment could not be reconciled')
    return null
  }
}
