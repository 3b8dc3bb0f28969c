import { and, eq, inArray } from 'drizzle-orm'
import { cancelRequests, cases, payments } from '#api/modules/billing/billing.schema.ts'
import { sandboxDeposits, sandboxPayments } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import { orderEvents, orders } from '#api/modules/orders/orders.schema.ts'
import type { OrderCode } from '#contract/ids.ts'
import type { Tenant } from './tenant.ts'

const sum = (rows: readonly number[]) => rows.reduce((total, amount) => total + amount, 0)

/**
 * An order's received and refunded amounts by the provider's ledger and by the store's timeline.
 * Minor units.
 */
export const moneyOf = (tenant: Tenant, code: OrderCode) =>
  tenant.within(async (db) => {
    const [order] = await db
      .select()
      .from(orders)
      .where(and(eq(orders.customerId, tenant.id), eq(orders.code, code)))
    const orderId = order!.id
    const orderPayments = await db.select().from(payments).where(eq(payments.orderId, orderId))
    const references = orderPayments.map(({ id }) => id)
    const ledger =
      references.length > 0
        ? await db.select().from(sandboxPayments).where(inArray(sandboxPayments.reference, references))
        : []
    const deposits =
      ledger.length > 0
        ? await db
            .select()
            .from(sandboxDeposits)
            .where(
              inArray(
                sandboxDeposits.paymentId,
                ledger.map(({ id }) => id),
              ),
            )
        : []
    const charged = ledger.filter(({ method, chargedAt }) => method === 'CARD' && chargedAt !== null)
    const events = await db.select().from(orderEvents).where(eq(orderEvents.orderId, orderId))
    const amounts = (...types: string[]) =>
      sum(events.filter(({ type }) => types.includes(type)).map(({ amount }) => amount ?? 0))
    const requests = await db.select().from(cancelRequests).where(eq(cancelRequests.orderId, orderId))
    const waiting = await db
      .select()
      .from(cases)
      .where(and(eq(cases.orderId, orderId), eq(cases.status, 'WAIT')))
    const refundedItems = requests
      .filter(({ outcome, keepsItems }) => outcome === 'REFUNDED' && !keepsItems)
      .flatMap(({ itemIds }) => itemIds)
    return {
      received: sum([
        ...charged.map(({ amount }) => amount),
        ...deposits.filter(({ reversedAt }) => reversedAt === null).map(({ amount }) => amount),
      ]),
      refunded: sum(ledger.map(({ refundedAmount }) => refundedAmount)),
      /** The balance by the store's timeline. */
      timeline:
        amounts('PAID', 'UNAPPLIED_PAYMENT') -
        amounts(
          'REFUNDED',
          'PARTLY_REFUNDED',
          'UNAPPLIED_PAYMENT_REFUNDED',
          'UNAPPLIED_PAYMENT_APPLIED',
          'DEPOSIT_REVERSED',
        ),
      /**
       * Refunds of deposits that the bank has also reversed. An operator collects them.
       */
      owed: sum(waiting.map(({ data }) => (data.kind === 'DEPOSIT_REVERSED' ? Number(data.refundedAmount) : 0))),
      /** The highest number of refunds of one item. */
      refundsOfItems: Math.max(0, ...refundedItems.map((id) => refundedItems.filter((one) => one === id).length)),
    }
  })
