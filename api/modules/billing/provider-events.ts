import type { ProviderEvent, WebhookRefusal } from '#api/modules/billing/providers/provider.ts'
import type { PaymentId } from '#contract/ids.ts'
import type { EventOutcome } from './billing.schema.ts'
import type { PaymentCtx } from './payment-states.ts'
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
export type SettleReference = (ctx: PaymentCtx, reference: PaymentId) => Promise<EventOutcome | 'WAITING'>

/**
 * Handles a provider's event. The event is stored once by its own id and only triggers a query of
 * the payment at the provider. Duplicate, reordered and outdated events therefore change nothing.
 */
export const receiveEvent = async (
  ctx: PaymentCtx,
  { headers, body }: { headers: Headers; body: string },
  settleOther: SettleReference,
): Promise<ReceivedEvent> => {
  const event = await ctx.provider.verifyWebhook(headers, body, ctx.clock.now())
  if ('code' in event) return event.code === 'IGNORED' ? { code: 'RECEIVED' } : event
  const outcome = await ctx.inTransaction((tx) =>
    storeProviderEvent(tx.db, tx.customer.id, {
      provider: ctx.provider.name,
      eventId: event.id,
      type: event.type,
      payload: event,
      receivedAt: tx.clock.now(),
    }),
  )
  if (outcome !== 'NEW' && outcome !== null) return { code: 'RECEIVED' }
  return settleEvent(ctx, event, settleOther)
}

const settleEvent = async (
  ctx: PaymentCtx,
  event: ProviderEvent,
  settleOther: SettleReference,
): Promise<ReceivedEvent> => {
  const payment = await settle(ctx, event.reference, 'WEBHOOK')
  const settlement = payment === 'UNKNOWN_PAYMENT' ? await settleOther(ctx, event.reference) : payment
  if (settlement === 'WAITING') return { code: 'TRY_AGAIN' }
  await ctx.inTransaction((tx) =>
    closeProviderEvent(tx.db, tx.customer.id, { provider: ctx.provider.name, eventId: event.id }, settlement),
  )
  return { code: 'RECEIVED' }
}
