import type { RefundAccount } from '#contract/billing.ts'
import type { PaymentMethod } from '#contract/enumerations.ts'
import { customerBase } from '#contract/http.ts'
import type { OrderCode, PaymentId } from '#contract/ids.ts'
import { keyed, placeOrderOf } from './buying.ts'
import type { Tenant, TestMember, TestProduct } from './tenant.ts'
import type { TestApi } from './test-api.ts'

/** Helpers that pay at any provider; `page` is the address the browser is redirected to. */
export const payingAt = (api: TestApi) => {
  const start = async (
    tenant: Tenant,
    member: TestMember,
    code: OrderCode,
    { method = 'CARD' as PaymentMethod, locale = 'en' } = {},
  ) => {
    const { billing } = api.client(tenant.code, {
      token: member.token,
      idempotencyKey: crypto.randomUUID(),
      headers: { 'accept-language': locale },
    })
    const { payment, redirectUrl } = await billing.startPayment({ code, method, returnUrl: '/payments/result' })
    return { code, payment, paymentId: payment.id as PaymentId, page: redirectUrl }
  }
  return {
    start,
    begin: async (tenant: Tenant, member: TestMember, product: TestProduct, method: PaymentMethod = 'CARD') => {
      const order = await placeOrderOf(api, tenant, member, product)
      return start(tenant, member, order.code, { method })
    },
    confirm: async (member: TestMember, paymentId: PaymentId) =>
      (await member.client.billing.confirmPayment({ id: paymentId })).order,
    requestRefund: (
      tenant: Tenant,
      member: TestMember,
      code: OrderCode,
      more: { itemIds?: string[]; refundAccount?: RefundAccount } = {},
    ) => keyed(api, tenant, member).billing.requestCancel({ code, reason: 'I bought it twice', ...(more as object) }),
    /** Delivers a provider's webhook. */
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
