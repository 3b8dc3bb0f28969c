import Stripe from 'stripe'
import type { CardVault, KnownReferences, ProviderCard } from '#api/modules/billing/providers/provider.ts'
import { callStripe, codeOf, isRefusal, localeOf, storedCard, toStripe, unlessMissing, viewIntent } from './client.ts'

/** A token contains Stripe's customer and payment method. A charge requires both. */
const tokenOf = (customer: string, method: string) => `${customer} ${method}`
const readToken = (token: string) => {
  const [customer = '', method = ''] = token.split(' ')
  return { customer, payment_method: method }
}

/** Cards stored at Stripe: set up on Checkout's page, charged later without their owner. */
export const createStripeVault = (stripe: Stripe, references: KnownReferences): CardVault => ({
  register: (merchant, { reference, returnUrl, locale, buyer }) =>
    callStripe(async () => {
      const back = merchant.origin + returnUrl
      const ref = await references.card(merchant, reference)
      const existing = ref ? await unlessMissing(stripe.checkout.sessions.retrieve(ref)) : null
      if (existing) return { providerRef: existing.id, redirectUrl: existing.url ?? back }
      const metadata = { reference, customer: merchant.code }
      const session = await stripe.checkout.sessions.create(
        {
          mode: 'setup',
          currency: merchant.currency.toLowerCase(),
          allowed_payment_method_types: ['card'],
          client_reference_id: reference,
          customer_creation: 'always',
          customer_email: buyer.email,
          metadata,
          setup_intent_data: { metadata },
          locale: localeOf(locale),
          success_url: back,
          cancel_url: back,
        },
        { idempotencyKey: reference },
      )
      return { providerRef: session.id, redirectUrl: session.url ?? back }
    }),

  query: (merchant, reference) =>
    callStripe(async (): Promise<ProviderCard | null> => {
      const ref = await references.card(merchant, reference)
      if (!ref) return null
      const session = await unlessMissing(
        stripe.checkout.sessions.retrieve(ref, { expand: ['setup_intent.payment_method'] }),
      )
      if (!session) return null
      const intent = typeof session.setup_intent === 'object' ? session.setup_intent : null
      const method = typeof intent?.payment_method === 'object' ? intent.payment_method : null
      if (intent?.status === 'succeeded' && method?.card && typeof session.customer === 'string') {
        const { brand, last4, exp_month, exp_year } = method.card
        const card = {
          token: tokenOf(session.customer, method.id),
          issuer: brand.toUpperCase(),
          lastFour: last4,
          expiryMonth: exp_month,
          expiryYear: exp_year,
        }
        return { reference, status: 'REGISTERED', failure: null, card }
      }
      if (session.status === 'expired' || intent?.status === 'canceled')
        return { reference, status: 'FAILED', failure: 'ABANDONED', card: null }
      return { reference, status: 'READY', failure: null, card: null }
    }),

  remove: (_merchant, token) =>
    callStripe(async () => {
      try {
        await stripe.paymentMethods.detach(readToken(token).payment_method)
      } catch (error) {
        // The payment method was detached before, so nothing is left to do.
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
      }
    }),

  charge: (merchant, { reference, token, amount, title }) =>
    callStripe(async () => {
      try {
        const intent = await stripe.paymentIntents.create(
          {
            ...readToken(token),
            amount: toStripe(amount.amount, amount.currency),
            currency: amount.currency.toLowerCase(),
            description: title.slice(0, 250),
            confirm: true,
            off_session: true,
            metadata: { reference, customer: merchant.code, by: storedCard },
            expand: ['latest_charge'],
          },
          { idempotencyKey: reference },
        )
        return viewIntent(reference, intent)
      } catch (error) {
        if (!isRefusal(error)) throw error
        const failed = { reference, status: 'FAILED' as const, amount, failure: codeOf(error) }
        return { ...failed, card: null, refunded: 0, dueAt: null, unapplied: [] }
      }
    }),
})
