import { payments } from '#api/modules/billing/billing.schema.ts'
import type { SandboxPaymentId } from '#api/modules/billing/providers/sandbox/cards.ts'
import { sandboxPayments } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import { entitlements, fulfillments } from '#api/modules/entitlements/entitlements.schema.ts'
import { orderEvents, orderItems, orders } from '#api/modules/orders/orders.schema.ts'
import { newOrderCode } from '#api/modules/orders/orders.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { EntitlementId, MemberId, OrderId, OrderItemId, PaymentId } from '#contract/ids.ts'
import type { SeededCatalog } from './catalog.ts'
import { productOf } from './people.ts'
import { daysAgo, hoursAgo, type Seeding } from './seeding.ts'

/** Days between two orders. */
const DAYS_BETWEEN = 17
const DAYS_SINCE_LAST = 3

/**
 * Writes the demo member's purchases: paid orders, their timeline and their entitlements.
 */
export async function seedOrders(seeding: Seeding, catalog: SeededCatalog, memberId: MemberId): Promise<void> {
  const { customerId, db, tenant } = seeding
  const { base, order: rules } = tenant.settings
  const bought = tenant.history.orders
  for (const [index, lines] of bought.entries()) {
    const days = DAYS_SINCE_LAST + (bought.length - 1 - index) * DAYS_BETWEEN
    const placedAt = daysAgo(seeding, days, index)
    const paidAt = new Date(Date.parse(placedAt) + 42_000).toISOString()
    const orderId = newId<OrderId>()
    const items = lines.map(({ product, option: type, opened }, sort) => {
      const { id: productId, demo, options } = productOf(catalog, product)
      const option = options.find((offered) => offered.type === type)
      if (!option) throw new Error(`${product} is not offered as ${type}`)
      return {
        customerId,
        id: newId<OrderItemId>(),
        orderId,
        productId,
        optionId: option.id,
        productTitle: demo.title,
        optionName: option.name,
        optionType: type,
        days: option.days ?? null,
        startWithinDays: option.startWithinDays ?? null,
        priceAmount: option.priceAmount,
        currency: base.currency,
        openedAt: opened ? hoursAgo(seeding, days * 24 - 5) : null,
        sort,
      }
    })
    const totalAmount = items.reduce((sum, { priceAmount }) => sum + priceAmount, 0)
    await db.insert(orders).values({
      customerId,
      id: orderId,
      code: newOrderCode(new Date(placedAt), base.timeZone),
      memberId,
      status: 'PAYMENT_COMPLETE',
      method: 'CARD',
      totalAmount,
      currency: base.currency,
      refundPolicyVersion: rules.refundPolicy.version,
      createdAt: placedAt,
      paidAt,
    })
    await db.insert(orderItems).values(items)
    const charge = {
      customerId,
      method: 'CARD',
      status: 'PAID',
      amount: totalAmount,
      currency: base.currency,
      cardIssuer: 'Visa',
      cardLastFour: '4242',
      createdAt: placedAt,
    } as const
    const [paymentId, providerRef] = [newId<PaymentId>(), newId<SandboxPaymentId>()]
    await db
      .insert(payments)
      .values({ ...charge, id: paymentId, orderId, provider: 'sandbox', providerRef, settledAt: paidAt })
    // The sandbox's ledger has the payment too, so that it can be refunded.
    await db.insert(sandboxPayments).values({
      ...charge,
      id: providerRef,
      reference: paymentId,
      orderName: items[0]?.productTitle ?? '',
      chargedAt: paidAt,
      returnUrl: '/mypages/order-histories',
      scenario: 'SUCCESS',
    })
    await db.insert(orderEvents).values([
      { customerId, id: newId(), orderId, type: 'PLACED', amount: totalAmount, at: placedAt },
      { customerId, id: newId(), orderId, type: 'PAYMENT_STARTED', amount: totalAmount, at: placedAt },
      { customerId, id: newId(), orderId, type: 'PAID', amount: totalAmount, at: paidAt },
    ])
    const rights = items.map((item) => ({
      customerId,
      id: newId<EntitlementId>(),
      memberId,
      productId: item.productId,
      source: item.optionType,
      orderItemId: item.id,
      rentalDays: item.days,
      startBy:
        item.startWithinDays === null
          ? null
          : new Date(Date.parse(paidAt) + item.startWithinDays * dayMilliseconds).toISOString(),
      createdAt: paidAt,
    }))
    await db.insert(entitlements).values(rights)
    const opened = rights.flatMap(({ id: entitlementId, productId }, sort) => {
      const at = items[sort]?.openedAt
      const use = { kind: 'PLAY' as const, subject: productId, accepted: true }
      return at ? [{ customerId, id: newId(), memberId, productId, entitlementId, ...use, at }] : []
    })
    if (opened.length > 0) await db.insert(fulfillments).values(opened)
  }
}
