import { eq } from 'drizzle-orm'
import { sandboxPayments } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import { orderItems } from '#api/modules/orders/orders.schema.ts'
import type { OrderCode } from '#contract/ids.ts'
import type { Order } from '#contract/orders.ts'
import { beginToDeposit, createBankTenant } from './bank.ts'
import { beginToPay, keyed, terms } from './buying.ts'
import { cards } from './card-page.ts'
import { deliverDue } from './reconciling.ts'
import { createTenant, type Tenant, type TestMember, type TestProduct } from './tenant.ts'
import type { TestApi } from './test-api.ts'

/** Helpers for tests of refunds. */
export const refunding = (api: TestApi) => {
  const arrange = async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    const product = await tenant.createProduct({ price: 2900 })
    return { tenant, member, product }
  }

  const readOrder = (member: TestMember, order: { code: string }) =>
    member.client.orders.order({ code: order.code as OrderCode })

  const requestRefund = (
    tenant: Tenant,
    member: TestMember,
    order: { code: string },
    more: Partial<Parameters<TestMember['client']['billing']['requestCancel']>[0]> = {},
  ) =>
    keyed(api, tenant, member).billing.requestCancel({
      code: order.code as OrderCode,
      reason: 'I bought it twice',
      ...more,
    })

  const isEntitled = async (member: TestMember, product: TestProduct) =>
    (await member.client.catalog.product({ id: product.id })).viewer?.entitled

  const refunded = async (tenant: Tenant) =>
    (await tenant.within((db) => db.select().from(sandboxPayments))).map((row) => row.refundedAmount)

  /** Buys several products with one card in one order. */
  const buyAll = async (tenant: Tenant, member: TestMember, products: TestProduct[], card: string = cards.success) => {
    for (const product of products)
      await member.client.orders.addToCart({ productId: product.id, optionId: product.optionId! })
    const draft = await keyed(api, tenant, member).orders.placeOrder(terms(tenant))
    const { page, paymentId } = await beginToPay(api, tenant, member, draft)
    await page.pay(card)
    return (await member.client.billing.confirmPayment({ id: paymentId })).order
  }

  /** Plays or downloads a product for the first time, which begins its fulfillment. */
  const open = async (tenant: Tenant, member: TestMember, order: Order, product: TestProduct) => {
    const item = order.items.find((one) => one.product.id === product.id)!
    await tenant.within((db) =>
      db.update(orderItems).set({ openedAt: api.clock.now().toISOString() }).where(eq(orderItems.id, item.id)),
    )
    return readOrder(member, order)
  }

  const payByDeposit = async (price = 2900) => {
    const tenant = await createBankTenant(api)
    const member = await tenant.createMember()
    const product = await tenant.createProduct({ price })
    const { bank, order, ...deposit } = await beginToDeposit(api, tenant, member, product)
    await bank.deposit(price)
    await deliverDue(api, tenant)
    return { tenant, member, product, bank, order: await readOrder(member, order), ...deposit }
  }

  return { arrange, readOrder, requestRefund, isEntitled, refunded, buyAll, open, payByDeposit }
}
