import { and, eq, inArray } from 'drizzle-orm'
import { cancelRequests, cases, payments } from '#api/modules/billing/billing.schema.ts'
import { sandboxDeposits, sandboxPayments } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import { orderEvents, orders } from '#api/modules/orders/orders.schema.ts'
import type { OrderCode } from '#contract/ids.ts'
import type { Tenant } from './tenant.ts'

const sum = (rows: readonly number[]) => rows.reduce((total, amount) => total + amount, 0)

/** What an order's money did: by the provider's own books, and by the store's timeline. Minor units. */
export const moneyOf = (tenant: Tenant, code: OrderCode) =>
  tenant.within(async (db) => {
    const [order] = await db
      .select()
      .from(orders)
      .where(and(eq(orders.customerId, tenant.id), eq(orders.code, code)))
    const orderId = order!.id
    const own = await db.select().from(payments).where(eq(payments.orderId, orderId))
    const references = own.map(({ id }) => id)
    const books =
      references.length > 0
        ? await db.select().from(sandboxPayments).where(inArray(sandboxPayments.reference, references))
        : []
    const deposits =
      books.length > 0
        ? await db
            .select()
            .from(sandboxDeposits)
            .where(
              inArray(
                sandboxDeposits.paymentId,
                books.map(({ id }) => id),
              ),
            )
        : []
    const charged = books.filter(({ method, chargedAt }) => method === 'CARD' && chargedAt !== null)
    const events = await db.select().from(orderEvents).where(eq(orderEvents.orderId, orderId))
    const amounts = (...types: string[]) =>
      sum(events.filter(({ type }) => types.includes(type)).map(({ amount }) => amount ?? 0))
    const requests = await db.select().from(cancelRequests).where(eq(cancelRequests.orderId, orderId))
    const waiting = await db
      .select()
      .from(cases)
      .where(and(eq(cases.orderId, orderId), eq(cases.status, 'WAIT')))
    const back = requests.filter(({ outcome }) => outcome === 'REFUNDED').flatMap(({ itemIds }) => itemIds)
    return {
      received: sum([
        ...charged.map(({ amount }) => amount),
        ...deposits.filter(({ reversedAt }) => reversedAt === null).map(({ amount }) => amount),
      ]),
      givenBack: sum(books.map(({ refundedAmount }) => refundedAmount)),
      /** What the store's own timeline says it holds. */
      timeline:
        amounts('PAID', 'UNAPPLIED_PAYMENT') -
        amounts('REFUNDED', 'PARTLY_REFUNDED', 'UNAPPLIED_PAYMENT_REFUNDED', 'DEPOSIT_REVERSED'),
      /** What was given back of deposits that the bank has taken back as well: the operator's to see to. */
      owed: sum(waiting.map(({ data }) => (data.kind === 'DEPOSIT_REVERSED' ? Number(data.givenBack) : 0))),
      /** How often the item that went back most often did. */
      refundsOfItems: Math.max(0, ...back.map((id) => back.filter((one) => one === id).length)),
    }
  })
