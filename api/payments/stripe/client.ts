import Stripe from 'stripe'
import type { Money } from '#contract/money.ts'
import { ProviderUnavailable } from '../port.ts'

const patience = 8

/** Another host than the provider's own, for a local server that speaks its protocol: `http://127.0.0.1:12111`. */
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

export const createClient = ({ secretKey, apiUrl, timeoutSeconds }: ClientOptions) =>
  new Stripe(secretKey, {
    ...{ timeout: Number(timeoutSeconds ?? patience) * 1000, maxNetworkRetries: 1, telemetry: false },
    ...hostOf(apiUrl),
  })

const conflict = 409

/** What Stripe has understood and refuses: a decline, or a request that cannot be. */
export const isRefusal = (error: unknown): error is Stripe.errors.StripeError =>
  (error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError) &&
  error.statusCode !== conflict

/** Outside of its words nothing may be concluded: a refusal to serve, a time-out, an unknown answer. */
export const speaking = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await work()
  } catch (error) {
    if (isRefusal(error)) throw error
    throw new ProviderUnavailable('Stripe did not answer', { cause: error })
  }
}

/** Null for what Stripe has never heard of. */
export const unlessMissing = async <Answer>(answer: Promise<Answer>): Promise<Answer | null> => {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing') return null
    throw error
  }
}

/** Currencies without a minor unit that Stripe counts in hundredths all the same. */
const hundredths = new Set(['ISK', 'UGX'])
const scale = (currency: string) => (hundredths.has(currency.toUpperCase()) ? 100 : 1)

/** An amount as Stripe counts it: in the minor unit, but for two currencies. */
export const toStripe = (amount: number, currency: string) => amount * scale(currency)
export const fromStripe = (amount: number, currency: string) => amount / scale(currency)

export const moneyOf = (amount: number, currency: string): Money => ({
  amount: fromStripe(amount, currency),
  currency: currency.toUpperCase(),
})

const locales: Record<string, 'en' | 'ko' | 'ja'> = { en: 'en', ko: 'ko', ja: 'ja' }
/** Checkout has no Arabic: it follows the browser there. */
export const localeOf = (locale: string) => locales[locale.slice(0, 2)] ?? 'auto'
