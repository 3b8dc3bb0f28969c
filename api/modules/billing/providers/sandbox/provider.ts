import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import * as z from 'zod/mini'
import {
  checkWebhook,
  type PaymentProvider,
  type ProviderPayment,
  ProviderUnavailable,
  type RefundAccount,
  signatureHeader,
} from '#api/modules/billing/providers/provider.ts'
import { newId } from '#api/platform/db/columns.ts'
import { type CustomerId, paymentId } from '#contract/ids.ts'
import { closedOutcome, statusAt } from './cards.ts'
import { accountExists, announce, listActiveDeposits, merchantName, newAccount, saveOutcome, sumOf } from './ledger.ts'
import {
  type InTenant,
  insertPayment,
  lockPayment,
  readPayment,
  type SandboxPayment,
  updatePayment,
} from './sandbox.queries.ts'
import { createVault, pageAddress } from './vault.ts'

const refused = (reason: string) => ({ code: 'REFUSED', reason }) as const

/**
 * Refunds until `total` minor units have been refunded. The payment must be locked. Returns null
 * for an unknown payment.
 */
const refund = async (
  db: NodePgDatabase,
  payment: SandboxPayment | null,
  { total, account, onlyWhilePaid }: { total: number; account: RefundAccount | undefined; onlyWhilePaid: boolean },
  now: Date,
): Promise<{ code: 'REFUNDED'; payment: SandboxPayment } | { code: 'REFUSED'; reason: string }> => {
  if (!payment) return refused('NOT_PAID')
  const received = await receivedOf(db, payment)
  if (received === 0) return refused('NOT_PAID')
  if (onlyWhilePaid && payment.status !== 'PAID') return refused('NOT_PAID')
  if (total > received) return refused('MORE_THAN_PAID')
  if (total <= payment.refundedAmount) return { code: 'REFUNDED', payment }
  if (payment.method === 'BANK' && !account) return refused('ACCOUNT_MISSING')
  if (payment.method === 'BANK' && account && !accountExists(account)) return refused('ACCOUNT_REFUSED')
  if (payment.scenario === 'REFUND_REFUSED') {
    await updatePayment(db, payment, { scenario: 'REFUND_REFUSED_ONCE' })
    return refused('REFUND_REFUSED')
  }
  const updated = await updatePayment(db, payment, { refundedAmount: total })
  await announce(db, payment, { type: 'payment.refunded', times: 1, afterSeconds: 0 }, now)
  return { code: 'REFUNDED', payment: updated }
}

const receivedOf = async (db: NodePgDatabase, payment: SandboxPayment) => {
  if (payment.method === 'BANK') return sumOf(await listActiveDeposits(db, payment))
  return payment.status === 'PAID' ? payment.amount : 0
}

export interface SandboxDeps {
  inTenant: InTenant
  now: () => Date
  /**
   * Returns all merchants. Needed because an account number alone does not identify its merchant.
   */
  merchants: () => Promise<CustomerId[]>
  /** Signs webhooks. The store verifies them with the same secret. */
  webhookSecret: string
}

const webhookBody = z.object({ id: z.string(), type: z.string(), reference: paymentId })

/** The embedded payment provider: a hosted card page, test cards, signed webhooks; no money. */
export const createSandboxProvider = (
  { inTenant, now, webhookSecret }: SandboxDeps,
  onLedgerChange: (customerId: CustomerId) => void,
): PaymentProvider => {
  const view = async (db: NodePgDatabase, payment: SandboxPayment): Promise<ProviderPayment> => {
    const status = statusAt(payment, now())
    if (status === 'SILENT') throw new ProviderUnavailable('The sandbox does not answer for this card yet.')
    const deposits = payment.method === 'BANK' ? await listActiveDeposits(db, payment) : []
    return {
      reference: payment.reference,
      status: status === 'EXPIRED' ? 'FAILED' : status,
      amount: { amount: payment.amount, currency: payment.currency },
      refunded: payment.refundedAmount,
      failure: status === 'EXPIRED' ? 'DEPOSIT_EXPIRED' : payment.failure,
      dueAt: payment.dueAt === null ? null : new Date(payment.dueAt),
      unapplied: deposits.filter(({ paysOrder }) => !paysOrder).map(({ id, amount }) => ({ id, amount })),
      card:
        payment.cardIssuer && payment.cardLastFour
          ? { issuer: payment.cardIssuer, lastFour: payment.cardLastFour }
          : null,
    }
  }

  const query: PaymentProvider['query'] = (merchant, reference) =>
    inTenant(merchant.id, async (db) => {
      const payment = await readPayment(db, merchant.id, { reference })
      return payment && view(db, payment)
    })

  return {
    name: 'sandbox',
    cards: createVault({ inTenant, now, onLedgerChange, query }),
    methods: ['CARD', 'BANK'],
    pageOrigins: [],

    createPayment: (merchant, input) =>
      inTenant(merchant.id, async (db) => {
        await insertPayment(db, {
          customerId: merchant.id,
          id: newId(),
          reference: input.reference,
          amount: input.amount.amount,
          currency: input.amount.currency,
          orderName: input.title,
          returnUrl: input.returnUrl,
          method: input.method,
          ...(input.method === 'BANK' ? newAccount(merchant.id, await merchantName(db, merchant.id)) : {}),
          dueAt: input.dueAt?.toISOString() ?? null,
          createdAt: now().toISOString(),
        })
        const payment = await readPayment(db, merchant.id, { reference: input.reference })
        if (!payment) throw new ProviderUnavailable('The sandbox lost a payment it had just written.')
        const language = encodeURIComponent(input.locale)
        const { accountBank: bank, accountNumber: number, accountHolder: holder, dueAt } = payment
        const account = bank && number && holder && dueAt ? { bank, number, holder, dueAt: new Date(dueAt) } : null
        return {
          providerRef: payment.id,
          // A deposit is made at the bank, so there is no page.
          redirectUrl: account ? null : `${pageAddress(merchant.id, payment.id)}?lang=${language}`,
          account,
        }
      }),

    query,

    cancel: (merchant, reference) =>
      inTenant(merchant.id, async (db) => {
        const payment = await lockPayment(db, merchant.id, { reference })
        if (!payment) return null
        const open = payment.status === 'READY' || payment.status === 'PROCESSING'
        if (!open || statusAt(payment, now()) === 'EXPIRED') return view(db, payment)
        const outcome = closedOutcome('CLOSED_BY_STORE')
        await saveOutcome(db, payment, outcome, null, now())
        onLedgerChange(merchant.id)
        return view(db, { ...payment, status: outcome.status, failure: outcome.failure })
      }),

    refund: (merchant, reference, total, account, onlyWhilePaid = false) =>
      inTenant(merchant.id, async (db) => {
        const payment = await lockPayment(db, merchant.id, { reference })
        const refunded = await refund(db, payment, { total, account, onlyWhilePaid }, now())
        if (refunded.code === 'REFUSED') return refunded
        onLedgerChange(merchant.id)
        return { code: 'REFUNDED', payment: await view(db, refunded.payment) } as const
      }),

    acceptsAccount: async () => true,
    verifyWebhook: async (headers, body, at) => {
      const verdict = checkWebhook(webhookSecret, headers.get(signatureHeader), body, at)
      if (verdict !== 'VALID') return { code: verdict }
      const event = webhookBody.safeParse(parseJson(body))
      return event.success ? event.data : { code: 'BODY_INVALID' }
    },
  }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
