import type { ProviderEvent, WebhookRefusal } from '#api/modules/billing/providers/provider.ts'
import type { PaymentId } from '#contract/ids.ts'
import type { PaymentEnv } from './payment-states.ts'
import { closeProviderEvent, storeProviderEvent } from './payments.queries.ts'
import { settle } from './settle-payment.ts'

export type Reception =
  | { code: 'RECEIVED' }
  /** Stored, but nothing came of it yet: the provider should send it again. */
  | { code: 'TRY_AGAIN' }
  | WebhookRefusal

/** Settles what a reference of the provider names, where it is no payment of an order. `WAITING`: nothing is decided yet. */
export type SettleReference = (env: PaymentEnv, reference: PaymentId) => Promise<string>

/**
 * Takes a provider's message. It is stored once, by its own id, and only makes us ask the provider how the payment stands: copies,
 * messages out of order and messages that would go backwards therefore change nothing.
 */
export const receiveEvent = async (
  env: PaymentEnv,
  { headers, body }: { headers: Headers; body: string },
  settleOther: SettleReference,
): Promise<Reception> => {
  const event = await env.provider.verifyWebhook(headers, body, env.clock.now())
  if ('code' in event) return event.code === 'IGNORED' ? { code: 'RECEIVED' } : event
  const outcome = await env.inTransaction((ctx) =>
    storeProviderEvent(ctx.db, ctx.customer.id, {
      provider: env.provider.name,
      eventId: event.id,
      type: event.type,
      payload: event,
      receivedAt: ctx.clock.now(),
    }),
  )
  if (outcome !== 'NEW' && outcome !== null) return { code: 'RECEIVED' }
  return settleEvent(env, event, settleOther)
}

const settleEvent = async (env: PaymentEnv, event: ProviderEvent, settleOther: SettleReference): Promise<Reception> => {
  const payment = await settle(env, event.reference, 'WEBHOOK')
  const settlement = payment === 'UNKNOWN_PAYMENT' ? await settleOther(env, event.reference) : payment
  if (settlement === 'WAITING') return { code: 'TRY_AGAIN' }
  await env.inTransaction((ctx) =>
    closeProviderEvent(ctx.db, ctx.customer.id, { provider: env.provider.name, eventId: event.id }, settlement),
  )
  return { code: 'RECEIVED' }
}
