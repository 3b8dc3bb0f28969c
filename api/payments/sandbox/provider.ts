import { and, eq } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import * as z from 'zod/mini'
import { sandboxPayments } from '#api/db/schema/commerce.ts'
import { newId } from '#api/db/uuid.ts'
import { type Merchant, type PaymentProvider, type ProviderPayment, ProviderUnavailable } from '#api/payments/port.ts'
import { checkWebhook, signatureHeader } from '#api/payments/signature.ts'
import { type CustomerId, type PaymentId, paymentId } from '#contract/ids.ts'
import { pageAddress } from './address.ts'
import { announce, type InTenant, lockPayment, readPayment, record } from './books.ts'
import { closed, type SandboxPayment, standingNow } from './outcome.ts'

export interface SandboxDeps {
  inTenant: InTenant
  now: () => Date
  /** Signs webhooks; the store knows the same one. */
  webhookSecret: string
}

const webhookBody = z.object({ id: z.string(), type: z.string(), reference: paymentId })

/** The embedded payment provider: a hosted card page, test cards, signed webhooks; no money. */
export const createSandboxProvider = (
  { inTenant, now, webhookSecret }: SandboxDeps,
  changed: (customerId: CustomerId) => void,
): PaymentProvider => {
  const view = (payment: SandboxPayment): ProviderPayment => {
    const status = standingNow(payment, now())
    if (status === 'SILENT') throw new ProviderUnavailable('The sandbox does not answer for this card yet.')
    return {
      reference: payment.reference as PaymentId,
      status,
      amount: { amount: payment.amount, currency: payment.currency },
      refunded: payment.refundedAmount,
      failure: payment.failure,
      card:
        payment.cardIssuer && payment.cardLastFour
          ? { issuer: payment.cardIssuer, lastFour: payment.cardLastFour }
          : null,
    }
  }

  return {
    name: 'sandbox',
    methods: ['CARD'],

    createPayment: (merchant, input) =>
      inTenant(merchant.id, async (db) => {
        await db
          .insert(sandboxPayments)
          .values({
            customerId: merchant.id,
            id: newId(),
            reference: input.reference,
            amount: input.amount.amount,
            currency: input.amount.currency,
            orderName: input.title,
            returnUrl: input.returnUrl,
          })
          .onConflictDoNothing({ target: [sandboxPayments.customerId, sandboxPayments.reference] })
        const payment = await readPayment(db, merchant.id, { reference: input.reference })
        if (!payment) throw new ProviderUnavailable('The sandbox lost a payment it had just written.')
        const language = encodeURIComponent(input.locale)
        return {
          providerRef: payment.id,
          redirectUrl: `${pageAddress(merchant.id, payment.id)}?lang=${language}`,
          account: null,
        }
      }),

    query: (merchant, reference) =>
      inTenant(merchant.id, async (db) => {
        const payment = await readPayment(db, merchant.id, { reference })
        return payment && view(payment)
      }),

    cancel: (merchant, reference) =>
      inTenant(merchant.id, async (db) => {
        const payment = await lockPayment(db, merchant.id, { reference })
        if (!payment) return null
        const open = payment.status === 'READY' || payment.status === 'PROCESSING'
        if (!open) return view(payment)
        const outcome = closed('CLOSED_BY_STORE')
        await record(db, payment, outcome, null, now())
        changed(merchant.id)
        return view({ ...payment, status: outcome.status, failure: outcome.failure })
      }),

    refund: (merchant, reference, total) => inTenant(merchant.id, (db) => refund(db, merchant, reference, total)),

    verifyWebhook: (headers, body, at) => {
      const verdict = checkWebhook(webhookSecret, headers.get(signatureHeader), body, at)
      if (verdict !== 'VALID') return { code: verdict }
      const event = webhookBody.safeParse(parseJson(body))
      return event.success ? event.data : { code: 'BODY_INVALID' }
    },
  }

  async function refund(db: NodePgDatabase, merchant: Merchant, reference: PaymentId, total: number) {
    const payment = await lockPayment(db, merchant.id, { reference })
    if (payment?.status !== 'PAID') return { code: 'REFUSED', reason: 'NOT_PAID' } as const
    if (total > payment.amount) return { code: 'REFUSED', reason: 'MORE_THAN_PAID' } as const
    if (total > payment.refundedAmount) {
      await db
        .update(sandboxPayments)
        .set({ refundedAmount: total })
        .where(and(eq(sandboxPayments.customerId, merchant.id), eq(sandboxPayments.id, payment.id)))
      await announce(db, payment, { type: 'payment.refunded', times: 1, afterSeconds: 0 }, now())
      changed(merchant.id)
    }
    const refundedAmount = Math.max(total, payment.refundedAmount)
    return { code: 'REFUNDED', payment: view({ ...payment, refundedAmount }) } as const
  }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
