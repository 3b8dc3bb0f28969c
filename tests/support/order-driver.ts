import { and, eq } from 'drizzle-orm'
import { type PaymentProvider, ProviderUnavailable } from '#api/modules/billing/providers/provider.ts'
import type { BankFault } from '#api/modules/billing/providers/sandbox/ledger.ts'
import { reconcile } from '#api/modules/billing/reconcile-payments.ts'
import { acceptCancel, rejectCancel } from '#api/modules/billing/refund-decisions.ts'
import { sessions } from '#api/modules/identity/identity.schema.ts'
import { orderItems } from '#api/modules/orders/orders.schema.ts'
import type { OrderCode, OrderItemId, PaymentId } from '#contract/ids.ts'
import { depositFor, myAccount, type openTestBank } from './bank.ts'
import { beginToPay, keyed, terms } from './buying.ts'
import { cards, type openCardPage } from './card-page.ts'
import { ctxOf, deliverDue, withProvider } from './reconciling.ts'
import type { Tenant } from './tenant.ts'
import type { TestApi } from './test-api.ts'
import { sendWebhook } from './webhooks.ts'

/**
 * An action of the buyer, the bank, an operator or the provider on an order, or the passing of
 * time.
 */
export type Step =
  | { kind: 'PAY'; card: keyof typeof cards }
  | { kind: 'CHALLENGE' | 'LEAVE' | 'CONFIRM' | 'WEBHOOK' | 'DELIVER' | 'RECONCILE' | 'PAY_AGAIN' | 'BY_BANK' }
  | { kind: 'DEPOSIT'; amount: number; late: boolean; fault: BankFault }
  | { kind: 'REVERSE' | 'WITHDRAW' | 'ACCEPT' | 'REJECT' | 'GIVE_ACCOUNT' | 'OPEN' }
  | { kind: 'CANCEL'; items: 'ALL' | 'FIRST' | 'SECOND' }
  /**
   * Later requests to the provider: answered, failed, or executed and then failed.
   */
  | { kind: 'FAULT'; fault: 'NONE' | 'SILENT' | 'AFTERWARDS' }
  | { kind: 'WAIT'; seconds: number }

const away = () => Promise.reject(new ProviderUnavailable('The line broke.'))

/**
 * A buyer with a draft order for some products, and the steps that may follow. Steps that the
 * order's state does not allow are refused.
 */
export const openOrderDriver = async (api: TestApi, tenant: Tenant, prices: readonly number[]) => {
  const member = await tenant.createMember()
  // Steps may take weeks; the session must not expire.
  await tenant.within((db) =>
    db.update(sessions).set({ expiresAt: '2999-01-01T00:00:00.000Z' }).where(eq(sessions.memberId, member.id)),
  )
  const products = await Promise.all(prices.map((price) => tenant.createProduct({ price })))
  for (const { id, optionId } of products) await member.client.orders.addToCart({ productId: id, optionId: optionId! })
  const order = await keyed(api, tenant, member).orders.placeOrder(terms(tenant))
  const code = order.code as OrderCode
  const pages: ReturnType<typeof openCardPage>[] = []
  const accounts: ReturnType<typeof openTestBank>[] = []
  const payments: PaymentId[] = []
  let fault: 'NONE' | 'SILENT' | 'AFTERWARDS' = 'NONE'

  const real = api.deps.sandbox.provider
  const faulty = <Name extends 'query' | 'cancel' | 'refund'>(name: Name): PaymentProvider[Name] =>
    (async (...given: never[]) => {
      if (fault === 'SILENT') return away()
      const answer = await (real[name] as (...all: never[]) => Promise<unknown>)(...given)
      return fault === 'AFTERWARDS' ? away() : answer
    }) as PaymentProvider[Name]
  const provider = { query: faulty('query'), cancel: faulty('cancel'), refund: faulty('refund') }
  const ctx = async () => withProvider(await ctxOf(api, tenant), provider)

  const byCard = async () => {
    const begun = await beginToPay(api, tenant, member, order)
    pages.push(begun.page)
    payments.push(begun.paymentId)
  }
  const byBank = async () => {
    const begun = await depositFor(api, tenant, member, order)
    accounts.push(begun.bank)
    payments.push(begun.paymentId)
  }
  await byCard()

  const client = () => keyed(api, tenant, member).billing
  const cancel = async (which: 'ALL' | 'FIRST' | 'SECOND') => {
    const { items, method } = await member.client.orders.order({ code })
    const chosen = which === 'ALL' ? items.filter((item) => !item.refunded) : [items[which === 'FIRST' ? 0 : 1]!]
    const refundAccount = method === 'BANK' ? { refundAccount: myAccount } : {}
    await client().requestCancel({
      code,
      reason: 'Changed my mind',
      itemIds: chosen.map((item) => item.id as OrderItemId),
      ...refundAccount,
    })
  }
  const openFirst = () =>
    tenant.within(async (db) => {
      const [first] = order.items
      await db
        .update(orderItems)
        .set({ openedAt: api.clock.now().toISOString() })
        .where(and(eq(orderItems.customerId, tenant.id), eq(orderItems.id, first!.id)))
    })

  const doStep = async (step: Step): Promise<unknown> => {
    switch (step.kind) {
      case 'PAY':
        return pages.at(-1)?.pay(cards[step.card])
      case 'CHALLENGE':
        return pages.at(-1)?.challenge('123456')
      case 'LEAVE':
        return pages.at(-1)?.cancel()
      case 'CONFIRM':
        return member.client.billing.confirmPayment({ id: payments.at(-1)! })
      case 'WEBHOOK':
        return Promise.all(payments.map((reference) => sendWebhook(api, tenant, { reference })))
      case 'DELIVER':
        return deliverDue(api, tenant)
      case 'RECONCILE':
        return reconcile(await ctx())
      case 'PAY_AGAIN':
        return byCard()
      case 'BY_BANK':
        return byBank()
      case 'DEPOSIT':
        return accounts.at(-1)?.deposit(step.amount, step)
      case 'REVERSE':
        return accounts.at(-1)?.reverse()
      case 'CANCEL':
        return cancel(step.items)
      case 'WITHDRAW':
        return member.client.billing.withdrawCancelRequest({ code })
      case 'ACCEPT':
        return acceptCancel(await ctx(), { code, by: 'admin:Jo' })
      case 'REJECT':
        return (await ctx()).inTransaction((tx) => rejectCancel(tx, { code, by: 'admin:Jo', reason: 'No.' }))
      case 'GIVE_ACCOUNT':
        return client().setRefundAccount({ code, refundAccount: myAccount })
      case 'OPEN':
        return openFirst()
      case 'FAULT':
        fault = step.fault
        return
      case 'WAIT':
        return api.clock.advance(step.seconds * 1000)
      default:
        return step satisfies never
    }
  }

  return {
    member,
    products,
    order,
    /** Runs a step. A refused step changes nothing. */
    run: async (step: Step): Promise<void> => {
      const refusal = await doStep(step).then(
        () => null,
        (error: { status?: number }) => error,
      )
      if (refusal && !((refusal.status ?? 500) < 500 || refusal.status === 502)) throw refusal
    },
    /**
     * Ends the provider's faults and lets all deadlines pass, so that only what needs a person is
     * still open.
     */
    settle: async () => {
      fault = 'NONE'
      for (const seconds of [120, 1900, 8 * 86_400, 2 * 86_400]) {
        api.clock.advance(seconds * 1000)
        await deliverDue(api, tenant)
        await reconcile(await ctx())
      }
      await reconcile(await ctx())
    },
  }
}
