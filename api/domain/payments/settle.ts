import { findPayment } from '#api/db/queries/payments.ts'
import { returnMoney } from '#api/domain/refunds/return-money.ts'
import { type ProviderPayment, ProviderUnavailable } from '#api/payments/port.ts'
import type { PaymentId } from '#contract/ids.ts'
import { decide } from './decide.ts'
import { atProvider, merchantOf, type PaymentEnv } from './env.ts'
import type { Closure } from './states.ts'

/** Who asked for the settlement: the browser that came back, the provider's message, or the reconciliation. */
export type SettleSource = 'RETURN' | 'WEBHOOK' | 'RECONCILE'

export type Settlement =
  | 'COMPLETED'
  | 'FAILED'
  /** Nothing has been decided at the provider, or it does not answer. */
  | 'WAITING'
  /** An account waits for its deposit, and the provider knows of none. */
  | 'OPEN'
  /** It had been settled before; nothing changed. */
  | 'SETTLED_BEFORE'
  /** Money came that the order cannot take: it is given back. */
  | 'UNDUE'
  /** A deposit was reversed: the order waits again. */
  | 'REVERSED'
  | 'UNKNOWN_PAYMENT'

/** What the provider said, and when it was asked: an answer from before the last decision may not undo it. */
export type Answer = ProviderPayment & { askedAt: Date }

/** Asked again so often while answers come that are older than what was decided meanwhile. */
const attempts = 5

/**
 * Settles a payment: the one way in which money changes an order. The provider is asked how the payment stands, outside of any
 * transaction; what it says is then applied under the order's lock, so that however many ask at once, one of them settles and the
 * others find it done. A message is never believed by itself.
 */
export const settle = async (given: PaymentEnv, paymentId: PaymentId, source: SettleSource): Promise<Settlement> => {
  const known = await given.inTransaction((ctx) => findPayment(ctx.db, ctx.customer.id, paymentId))
  if (!known) return 'UNKNOWN_PAYMENT'
  // A card that was charged stays charged; a deposit may be reversed, and more may come.
  if (known.status === 'PAID' && known.method === 'CARD') return 'SETTLED_BEFORE'
  const env = atProvider(given, known)
  const answer = await ask(env, paymentId)
  return answer ? apply(env, answer, source) : 'WAITING'
}

/** Applies what the payment's own provider, `env.provider`, has said of it. Shared with those who have just spoken with it. */
export const apply = async (
  env: PaymentEnv,
  answer: Answer,
  source: SettleSource,
  closure?: Closure,
): Promise<Settlement> => {
  let said: Answer | null = answer
  for (let attempt = 0; said && attempt < attempts; attempt++) {
    const current: Answer = said
    const { settlement, undue } = await env.inTransaction((ctx) => decide(ctx, current, source, closure))
    if (undue) await returnMoney(env, answer.reference)
    if (settlement !== 'STALE') return settlement
    said = await ask(env, answer.reference)
  }
  return 'WAITING'
}

const ask = async (env: PaymentEnv, paymentId: PaymentId): Promise<Answer | null> => {
  const askedAt = env.clock.now()
  try {
    const answer = await env.provider.query(merchantOf(env), paymentId)
    return answer && { ...answer, askedAt }
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    env.log.warn({ paymentId, provider: env.provider.name }, 'The payment provider did not answer')
    return null
  }
}
