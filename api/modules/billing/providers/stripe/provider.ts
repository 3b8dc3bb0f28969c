import Stripe from 'stripe'
import {
  type CreatePayment,
  type KnownReferences,
  type Merchant,
  type OtherEvent,
  type PaymentProvider,
  type ProviderEvent,
  type ProviderPayment,
  ProviderUnavailable,
  type WebhookRefusal,
} from '#api/modules/billing/providers/provider.ts'
import { type PaymentId, paymentId } from '#contract/ids.ts'
import {
  callStripe,
  createClient,
  createStripeVault,
  localeOf,
  toStripe,
  unlessMissing,
  viewIntent,
  viewSession,
} from './client.ts'

const tolerance = 300

interface ReferencedObject {
  metadata?: Record<string, string> | null
  client_reference_id?: string | null
}

/** Reads a Stripe webhook. Stripe's library verifies the signature and the age. */
const readStripeEvent = async (
  stripe: Stripe,
  secret: string,
  headers: Headers,
  body: string,
  now: Date,
): Promise<ProviderEvent | OtherEvent | WebhookRefusal> => {
  const signature = headers.get('stripe-signature')
  if (!signature) return { code: 'SIGNATURE_INVALID' }
  try {
    const event = stripe.webhooks.constructEvent(body, signature, secret, tolerance, undefined, now.getTime())
    // The type of the object depends on the event's, of which Stripe has hundreds.
    const { metadata, client_reference_id: named } = event.data.object as ReferencedObject
    // Other payments of the same Stripe account have references of a different format.
    const reference = paymentId.safeParse(metadata?.reference ?? named)
    return reference.success ? { id: event.id, reference: reference.data, type: event.type } : { code: 'IGNORED' }
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) return { code: 'BODY_INVALID' }
    return { code: /timestamp/i.test(error.message) ? 'SIGNATURE_TOO_OLD' : 'SIGNATURE_INVALID' }
  }
}

export interface StripeOptions {
  secretKey: string
  webhookSecret: string
  /** Stripe's own by default. Tests use a local server with the same protocol. */
  apiUrl?: string | undefined
  /** Checkout's address, if it uses a domain of the store. */
  pageOrigin?: string | undefined
  /** Timeout in seconds, 8 by default. */
  timeoutSeconds?: string | undefined
  references: KnownReferences
}

/** A payment at Stripe: its Checkout session, its intent, or neither. */
interface Found {
  session: Stripe.Checkout.Session | null
  intent: Stripe.PaymentIntent | null
  view: ProviderPayment
}

/**
 * Creates the Stripe provider, on its official library: Checkout's hosted page for payments, stored
 * payment methods for subscriptions. Our payment id is the idempotency key of every request that
 * could charge, and is part of the metadata of the created object.
 */
export const createStripeProvider = (options: StripeOptions): PaymentProvider => {
  const stripe = createClient(options)

  const findOpenSession = async (merchant: Merchant, reference: PaymentId) => {
    const ref = await options.references.payment(merchant, reference)
    if (!ref?.startsWith('cs_')) return null
    return unlessMissing(stripe.checkout.sessions.retrieve(ref, { expand: ['payment_intent.latest_charge'] }))
  }

  /** Finds a payment by the stored id, or by a search if a crash prevented storing it. */
  const find = async (merchant: Merchant, reference: PaymentId): Promise<Found | null> => {
    const session = await findOpenSession(merchant, reference)
    if (session) {
      const intent = typeof session.payment_intent === 'object' ? session.payment_intent : null
      return { session, intent, view: viewSession(reference, session) }
    }
    const ref = await options.references.payment(merchant, reference)
    const intent = ref?.startsWith('pi_')
      ? await unlessMissing(stripe.paymentIntents.retrieve(ref, { expand: ['latest_charge'] }))
      : await search(reference)
    return intent && { session: null, intent, view: viewIntent(reference, intent) }
  }

  const search = async (reference: PaymentId) => {
    const intents = await stripe.paymentIntents.search({
      query: `metadata['reference']:'${reference}'`,
      expand: ['data.latest_charge'],
      limit: 1,
    })
    return intents.data[0] ?? null
  }

  const createSession = (merchant: Merchant, input: CreatePayment) => {
    const metadata = { reference: input.reference, customer: merchant.code }
    const { amount, currency } = input.amount
    const product_data = { name: input.title.slice(0, 250) }
    return stripe.checkout.sessions.create(
      {
        mode: 'payment',
        allowed_payment_method_types: ['card'],
        client_reference_id: input.reference,
        customer_email: input.buyer.email,
        metadata,
        payment_intent_data: { metadata },
        line_items: [
          {
            quantity: 1,
            price_data: { currency: currency.toLowerCase(), unit_amount: toStripe(amount, currency), product_data },
          },
        ],
        locale: localeOf(input.locale),
        success_url: merchant.origin + input.returnUrl,
        cancel_url: merchant.origin + input.returnUrl,
      },
      { idempotencyKey: input.reference },
    )
  }

  return {
    name: 'stripe',
    methods: ['CARD'],
    pageOrigins: [options.pageOrigin ?? 'https://checkout.stripe.com'],

    createPayment: (merchant, input) =>
      callStripe(async () => {
        // A buyer who returns in another language or window is sent to the same page.
        const session = (await findOpenSession(merchant, input.reference)) ?? (await createSession(merchant, input))
        return { providerRef: session.id, redirectUrl: session.url, account: null }
      }),

    query: (merchant, reference) => callStripe(async () => (await find(merchant, reference))?.view ?? null),

    cancel: (merchant, reference) =>
      callStripe(async () => {
        const session = (await find(merchant, reference))?.session
        if (session?.status === 'open') await stripe.checkout.sessions.expire(session.id).catch(unlessClosed)
        return (await find(merchant, reference))?.view ?? null
      }),

    refund: (merchant, reference, total) =>
      callStripe(async () => {
        const before = await find(merchant, reference)
        if (before?.view.status !== 'PAID' || !before.intent) return { code: 'REFUSED', reason: 'NOT_PAID' } as const
        const { amount, refunded } = before.view
        if (total > amount.amount) return { code: 'REFUSED', reason: 'MORE_THAN_PAID' } as const
        if (refunded >= total) return { code: 'REFUNDED', payment: before.view } as const
        try {
          await stripe.refunds.create(
            {
              payment_intent: before.intent.id,
              amount: toStripe(total - refunded, amount.currency),
              metadata: { reference },
            },
            { idempotencyKey: `${reference}:${refunded}-${total}` },
          )
        } catch (error) {
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
          return { code: 'REFUSED', reason: (error.code ?? 'REFUSED').toUpperCase() } as const
        }
        const after = await find(merchant, reference)
        return { code: 'REFUNDED', payment: after?.view ?? before.view } as const
      }),

    cards: createStripeVault(stripe, options.references),
    verifyWebhook: (headers, body, now) => readStripeEvent(stripe, options.webhookSecret, headers, body, now),
    acceptsAccount: async () => {
      try {
        await callStripe(() => unlessMissing(stripe.paymentIntents.retrieve('pi_check_of_the_account')))
        return true
      } catch (error) {
        if (isAccountRefusal(error)) return false
        throw error
      }
    },
  }
}

/** Whether Stripe refused the key, or what it may do. */
const isAccountRefusal = (error: unknown) =>
  error instanceof ProviderUnavailable &&
  (error.cause instanceof Stripe.errors.StripeAuthenticationError ||
    error.cause instanceof Stripe.errors.StripePermissionError)

/** A session that closed between two requests needs no closing. */
const unlessClosed = (error: unknown) => {
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
}
