import * as z from 'zod'

const key = (shape: RegExp, what: string, example: string) =>
  z
    .string()
    .regex(shape, { error: `must be ${what}, for example ${example}` })
    .optional()

/** Variables with the installation's own accounts at payment providers, for stores that keep no secrets of their own. */
export const paymentVariables = {
  PAYMENT_STRIPE_SECRET_KEY: key(/^[rs]k_(?:live|test)_\S+$/, 'a secret or restricted key of Stripe', 'sk_live_…'),
  PAYMENT_STRIPE_WEBHOOK_SECRET: key(/^whsec_\S+$/, 'the signing secret of a webhook endpoint at Stripe', 'whsec_…'),
  PAYMENT_PORTONE_API_SECRET: key(/^\S{20,}$/, 'an API secret of PortOne V2', 'the one its console shows once'),
  PAYMENT_PORTONE_WEBHOOK_SECRET: key(/^whsec_[\w+/=]+$/, 'the webhook secret of PortOne V2', 'whsec_…'),
}

type Variables = Partial<Record<keyof typeof paymentVariables, string | undefined>>

const given = (secrets: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(secrets).filter((pair): pair is [string, string] => pair[1] !== undefined))

/** By provider, under the names its accounts know. */
export const readPaymentSecrets = (values: Variables): Record<string, Record<string, string>> => ({
  stripe: given({ secretKey: values.PAYMENT_STRIPE_SECRET_KEY, webhookSecret: values.PAYMENT_STRIPE_WEBHOOK_SECRET }),
  portone: given({
    apiSecret: values.PAYMENT_PORTONE_API_SECRET,
    webhookSecret: values.PAYMENT_PORTONE_WEBHOOK_SECRET,
  }),
})
