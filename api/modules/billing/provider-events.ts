import type { ProviderEvent, WebhookRefusal } from '#api/modules/billing/providers/provider.ts'
import type { PaymentId } from '#contract/ids.ts'
import type { EventOutcome } from './billing.schema.ts'
import type { PaymentEnv } from './payment-states.ts'
import { closeProviderEvent, storeProviderEvent } from './payments.queries.ts'
import { settle } from './settle-payment.ts'

export type ReceivedEvent =
  | { code: 'RECEIVED' }
  /** Stored without an outcome: the provider should send the event again. */
  | { code: 'TRY_AGAIN' }
  | WebhookRefusal

/**
 * Settles a provider reference that is not a payment of an order. Returns `WAITING` if nothing is
 * decided yet.
 */
export type SettleReference = (env: PaymentEnv, reference: PaymentId) => Promise<EventOutcome | 'WAITING'>

/**
 * Handles a provider's event. The event is stored once by its own id and only triggers a query of
 * the payment at the provider. Duplicate, reordered and outdated events therefore change nothing.
 */
export const receiveEvent = async (
  env: PaymentEnv,
  { headers, body }: { headers: Headers; body: string },
  settleOther: SettleReference,
): Promise<ReceivedEvent> => {
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

const settleEvent = async (
  env: PaymentEnv,
  event: ProviderEvent,
  settleOther: SettleReference,
): Promise<ReceivedEvent> => {
  const payment = await settle(env, event.reference, 'WEBHOOK')
  const settlement = payment === 'UNKNOWN_PAYMENT' ? await settleOther(env, event.reference) : payment
  if (settlement === 'WAITING') return { code: 'TRY_AGAIN' }
  await env.inTransaction((ctx) =>
    closeProviderEvent(ctx.db, ctx.customer.id, { provider: env.provider.name, eventId: event.id }, settlement),
  )
  return { code: 'RECEIVED' }
}
