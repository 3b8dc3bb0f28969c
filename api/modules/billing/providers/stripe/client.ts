import Stripe from 'stripe'
import {
  type CardVault,
  type KnownReferences,
  type ProviderCard,
  type ProviderPayment,
  ProviderUnavailable,
} from '#api/modules/billing/providers/provider.ts'
import type { PaymentId } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'

const defaultTimeoutSeconds = 8

/**
 * A host other than Stripe's own, for a local server with the same protocol:
 * `http://127.0.0.1:12111`.
 */
const hostOf = (apiUrl: string | undefined): { protocol?: 'http' | 'https'; host?: string; port?: number } => {
  if (!apiUrl) return {}
  const { protocol, hostname, port } = new URL(apiUrl)
  const plain = protocol === 'http:'
  return { protocol: plain ? 'http' : 'https', host: hostname, port: Number(port || (plain ? 80 : 443)) }
}

interface ClientOptions {
  secretKey: string
  apiUrl?: string | undefined
  timeoutSeconds?: string | undefined
}

/** Creates Stripe's client. It repeats a failed request once. */
export const createClient = ({ secretKey, apiUrl, timeoutSeconds }: ClientOptions) =>
  new Stripe(secretKey, {
    timeout: Number(timeoutSeconds ?? defaultTimeoutSeconds) * 1000,
    maxNetworkRetries: 1,
    telemetry: false,
    // The time limit of the default client begins once it is connected.
    httpClient: Stripe.createFetchHttpClient(),
    ...hostOf(apiUrl),
  })

const conflict = 409

/** Whether Stripe understood and refused: a decline or an invalid request. */
const isRefusal = (error: unknown): error is Stripe.errors.StripeError =>
  (error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError) &&
  error.statusCode !== conflict

/**
 * Throws `ProviderUnavailable` for anything that is not an answer about the payment: a rejected
 * account, a time-out, an unknown answer.
 */
export const callStripe = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await work()
  } catch (error) {
    if (isRefusal(error)) throw error
    throw new ProviderUnavailable('Stripe did not answer', { cause: error })
  }
}

/** Returns null if Stripe does not know the object. */
export const unlessMissing = async <Answer>(answer: Promise<Answer>): Promise<Answer | null> => {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing') return null
    throw error
  }
}

/** Currencies without a minor unit that Stripe nevertheless counts in hundredths. */
const hundredths = new Set(['ISK', 'UGX'])
const scale = (currency: string) => (hundredths.has(currency.toUpperCase()) ? 100 : 1)

/** Converts an amount in minor units to Stripe's unit, which differs for two currencies. */
export const toStripe = (amount: number, currency: string) => amount * scale(currency)

/** Converts an amount of Stripe to the currency's minor unit. */
const fromStripe = (amount: number, currency: string) => amount / scale(currency)

/** Returns an amount of Stripe in the currency's minor unit. */
const moneyOf = (amount: number, currency: string): Money => ({
  amount: fromStripe(amount, currency),
  currency: currency.toUpperCase(),
})

const locales: Record<string, 'en' | 'ko' | 'ja'> = { en: 'en', ko: 'ko', ja: 'ja' }
/** Checkout does not support Arabic. It uses the browser's language there. */
export const localeOf = (locale: string) => locales[locale.slice(0, 2)] ?? 'auto'

/** Marks a charge of a stored card in the metadata: no buyer is present to try another card. */
const storedCard = 'stored card'

const cardOf = (charge: Stripe.Charge | null) => {
  const card = charge?.payment_method_details?.card
  return card?.last4 ? { issuer: (card.brand ?? 'card').toUpperCase(), lastFour: card.last4 } : null
}

const nothing = { failure: null, card: null, refunded: 0, dueAt: null, unapplied: [] } as const

/** Returns the code of an error of Stripe: why the bank declined, else its own code. */
const codeOf = (error: { decline_code?: string | undefined; code?: string | undefined } | null) =>
  (error?.decline_code ?? error?.code ?? 'CARD_DECLINED').toUpperCase()

/** Converts a payment intent with its latest charge to the provider interface. */
export const viewIntent = (reference: PaymentId, intent: Stripe.PaymentIntent): ProviderPayment => {
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
  const refunded = fromStripe(charge?.amount_refunded ?? 0, intent.currency)
  const view = { ...nothing, reference, card: cardOf(charge), refunded }
  const amount = moneyOf(intent.amount, intent.currency)
  switch (intent.status) {
    case 'succeeded':
      return { ...view, status: 'PAID', amount: moneyOf(intent.amount_received, intent.currency) }
    case 'canceled':
      return { ...view, status: 'CANCELLED', amount, failure: 'CLOSED_BY_STORE' }
    case 'processing':
    case 'requires_action':
    case 'requires_capture':
      return { ...view, status: 'PROCESSING', amount }
    default:
      // On Checkout's page a buyer may try another card. A declined stored card is final.
      if (intent.metadata.by === storedCard && intent.last_payment_error)
        return { ...view, status: 'FAILED', amount, failure: codeOf(intent.last_payment_error) }
      return { ...view, status: 'READY', amount }
  }
}

/** Converts a Checkout session with its intent to the provider interface. */
export const viewSession = (reference: PaymentId, session: Stripe.Checkout.Session): ProviderPayment => {
  const intent = typeof session.payment_intent === 'object' ? session.payment_intent : null
  const view = intent && viewIntent(reference, intent)
  if (view?.status === 'PAID' || view?.status === 'PROCESSING' || view?.status === 'CANCELLED') return view
  const amount = moneyOf(session.amount_total ?? 0, session.currency ?? 'usd')
  return session.status === 'expired'
    ? { ...nothing, reference, amount, status: 'CANCELLED', failure: 'CLOSED_BY_STORE' }
    : { ...nothing, reference, amount, status: 'READY' }
}

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
