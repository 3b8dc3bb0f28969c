import * as z from 'zod/mini'
import { textUpTo } from '../text.ts'
import { auditEntry } from './audit.ts'

export const paymentProviderName = z.enum(['sandbox', 'stripe', 'portone'])
export type PaymentProviderName = z.output<typeof paymentProviderName>

const names = z.array(z.string())

const paymentAccount = z.object({
  provider: paymentProviderName,
  /** Whether it takes new payments. Others still refund their own. */
  active: z.boolean(),
  /** What is not secret, by name. */
  options: z.record(z.string(), z.string()),
  /** The names of the secrets that are stored. They cannot be read. */
  secrets: names,
})

/** The accounts of a store at payment providers, and what each provider needs. */
export const paymentAccounts = z.object({
  /** Send it as `If-Match` with a change. */
  version: z.string(),
  /**
   * The provider of new payments; null if nobody can pay. Without an account the demo has the
   * sandbox.
   */
  takesPayments: z.nullable(z.string()),
  accounts: z.array(paymentAccount),
  providers: z.array(
    z.object({
      name: paymentProviderName,
      options: names,
      optional: names,
      secrets: names,
      /** The secrets that the installation has for stores without their own. */
      shared: names,
      /** Where the provider sends its webhooks; null for the sandbox, which needs none. */
      webhookUrl: z.nullable(z.string()),
    }),
  ),
  /** Changes of operators, latest first. */
  history: z.array(auditEntry),
})
export type PaymentAccounts = z.output<typeof paymentAccounts>

const fields = z.record(z.string().check(z.maxLength(40)), textUpTo(500))

export const paymentAccountChange = z.object({
  provider: paymentProviderName,
  /** What is left out stays. An empty text removes an optional one. */
  options: z._default(fields, {}),
  /** What is left out or empty stays. */
  secrets: z._default(fields, {}),
})
export type PaymentAccountChange = z.output<typeof paymentAccountChange>

export const paymentAccountPath = z.object({ provider: paymentProviderName })

/** REFUSED: the provider does not accept the secrets. UNAVAILABLE: it does not answer. */
export const paymentAccountChecked = z.object({ result: z.enum(['ACCEPTED', 'REFUSED', 'UNAVAILABLE']) })
