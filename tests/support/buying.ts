import { randomUUID } from 'node:crypto'
import type { PaymentId } from '#contract/ids.ts'
import type { Order } from '#contract/orders.ts'
import { openCardPage } from './card-page.ts'
import type { Tenant, TestMember, TestProduct } from './tenant.ts'
import type { Client, TestApi } from './test-api.ts'

/** A client with an idempotency key: the given one or a new one. */
export const keyed = (api: TestApi, tenant: Tenant, member: TestMember, key: string = randomUUID()): Client =>
  api.client(tenant.code, { token: member.token, idempotencyKey: key })

export const terms = (tenant: Tenant) => ({ refundPolicyVersion: tenant.settings.order.refundPolicy.version })

/** Places an order for one product. */
export const placeOrderOf = (api: TestApi, tenant: Tenant, member: TestMember, product: TestProduct) =>
  keyed(api, tenant, member).orders.placeOrder({
    buyNow: { productId: product.id, optionId: product.optionId! },
    ...terms(tenant),
  })

/** Places an order for one product and opens its card page. */
export const beginToBuy = async (api: TestApi, tenant: Tenant, member: TestMember, product: TestProduct) =>
  beginToPay(api, tenant, member, await placeOrderOf(api, tenant, member, product))

export const beginToPay = async (api: TestApi, tenant: Tenant, member: TestMember, order: Order) => {
  const { payment, redirectUrl } = await keyed(api, tenant, member).billing.startPayment({
    code: order.code,
    method: 'CARD',
    returnUrl: '/payments/result',
  })
  return { order, paymentId: payment.id as PaymentId, page: openCardPage(api, redirectUrl) }
}

/** Orders a product and pays for it. */
export const buy = async (api: TestApi, tenant: Tenant, member: TestMember, product: TestProduct) => {
  const { page, paymentId } = await beginToBuy(api, tenant, member, product)
  await page.pay('4242 4242 4242 4242')
  const { order } = await member.client.billing.confirmPayment({ id: paymentId })
  return order
}
