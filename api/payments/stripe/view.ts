import type Stripe from 'stripe'
import type { PaymentId } from '#contract/ids.ts'
import type { ProviderPayment } from '../port.ts'
import { fromStripe, moneyOf } from './client.ts'

/** In the metadata of a charge of a stored card: nobody is there to try another one. */
export const storedCard = 'stored card'

const cardOf = (charge: Stripe.Charge | null) => {
  const card = charge?.payment_method_details?.card
  return card?.last4 ? { issuer: (card.brand ?? 'card').toUpperCase(), lastFour: card.last4 } : null
}

const nothing = { failure: null, card: null, refunded: 0, dueAt: null, undue: [] } as const

export const codeOf = (error: { decline_code?: string | undefined; code?: string | undefined } | null) =>
  (error?.decline_code ?? error?.code ?? 'CARD_DECLINED').toUpperCase()

/** A payment intent, with its latest charge, in the port's words. */
export const viewIntent = (reference: PaymentId, intent: Stripe.PaymentIntent): ProviderPayment => {
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
  const refunded = fromStripe(charge?.amount_refunded ?? 0, intent.currency)
  const seen = { ...nothing, reference, card: cardOf(charge), refunded }
  const amount = moneyOf(intent.amount, intent.currency)
  switch (intent.status) {
    case 'succeeded':
      return { ...seen, status: 'PAID', amount: moneyOf(intent.amount_received, intent.currency) }
    case 'canceled':
      return { ...seen, status: 'CANCELLED', amount, failure: 'CLOSED_BY_STORE' }
    case 'processing':
    case 'requires_action':
    case 'requires_capture':
      return { ...seen, status: 'PROCESSING', amount }
    default:
      // On Checkout's page a person may try another card; a stored one that was declined stays so.
      if (intent.metadata.by === storedCard && intent.last_payment_error)
        return { ...seen, status: 'FAILED', amount, failure: codeOf(intent.last_payment_error) }
      return { ...seen, status: 'READY', amount }
  }
}

/** A session of Checkout, with its intent, in the port's words. */
export const viewSession = (reference: PaymentId, session: Stripe.Checkout.Session): ProviderPayment => {
  const intent = typeof session.payment_intent === 'object' ? session.payment_intent : null
  const seen = intent && viewIntent(reference, intent)
  if (seen?.status === 'PAID' || seen?.status === 'PROCESSING' || seen?.status === 'CANCELLED') return seen
  const amount = moneyOf(session.amount_total ?? 0, session.currency ?? 'usd')
  return session.status === 'expired'
    ? { ...nothing, reference, amount, status: 'CANCELLED', failure: 'CLOSED_BY_STORE' }
    : { ...nothing, reference, amount, status: 'READY' }
}
