import type { PaymentMethod } from '#contract/enumerations.ts'
import type { OrderCode, PaymentId } from '#contract/ids.ts'
import { customerBase } from '#contract/index.ts'
import type { RefundAccount } from '#contract/orders.ts'
import { keyed, terms } from './buying.ts'
import type { Tenant, TestMember, TestProduct } from './tenant.ts'
import type { TestApi } from './test-api.ts'

/** A person who pays at any provider: `page` is where the browser is sent. */
export const payingAt = (api: TestApi) => {
  const start = async (
    tenant: Tenant,
    member: TestMember,
    code: OrderCode,
    { method = 'CARD' as PaymentMethod, locale = 'en' } = {},
  ) => {
    const { commerce } = api.client(tenant.code, {
      ...{ token: member.token, idempotencyKey: crypto.randomUUID(), headers: { 'accept-language': locale } },
    })
    const { payment, redirectUrl } = await commerce.startPayment({ code, method, returnUrl: '/payments/result' })
    return { code, payment, paymentId: payment.id as PaymentId, page: redirectUrl }
  }
  return {
    start,
    begin: async (tenant: Tenant, member: TestMember, product: TestProduct, method: PaymentMethod = 'CARD') => {
      const order = await keyed(api, tenant, member).commerce.placeOrder({
        buyNow: { productId: product.id, optionId: product.optionId! },
        ...terms(tenant),
      })
      return start(tenant, member, order.code, { method })
    },
    confirm: async (member: TestMember, paymentId: PaymentId) =>
      (await member.client.commerce.confirmPayment({ id: paymentId })).order,
    askBack: (
      tenant: Tenant,
      member: TestMember,
      code: OrderCode,
      more: { itemIds?: string[]; refundAccount?: RefundAccount } = {},
    ) => keyed(api, tenant, member).commerce.requestCancel({ code, reason: 'I bought it twice', ...(more as object) }),
    /** A provider's message, as it arrives. */
    message: (tenant: Tenant, provider: string, body: string, headers: Record<string, string>) =>
      api.fetch(
        new Request(`${api.origin}${customerBase(tenant.code)}/webhooks/${provider}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body,
        }),
      ),
  }
}
