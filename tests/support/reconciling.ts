import type { PaymentCtx } from '#api/modules/billing/payment-states.ts'
import { unattendedPaymentCtx } from '#api/modules/billing/payment-states.ts'
import type { PaymentProvider } from '#api/modules/billing/providers/provider.ts'
import { reconcile } from '#api/modules/billing/reconcile-payments.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import type { Tenant } from './tenant.ts'
import type { TestApi } from './test-api.ts'

/** The payment context of background work. */
export const ctxOf = async (api: TestApi, tenant: Tenant) => {
  const customer = await resolveCustomer(api.deps, tenant.code)
  return unattendedPaymentCtx(api.deps, customer!, 'a-test')
}

/** The same context, with some functions of the provider replaced. */
export const withProvider = (ctx: PaymentCtx, overrides: Partial<PaymentProvider>): PaymentCtx => {
  const provider = { ...ctx.provider, ...overrides }
  return { ...ctx, provider, providerNamed: () => provider }
}

export const reconcileNow = async (api: TestApi, tenant: Tenant) => reconcile(await ctxOf(api, tenant))

/** Sends all due webhooks of the sandbox, a batch at a time. Returns how many arrived. */
export const deliverDue = async (api: TestApi, tenant: Tenant) => {
  let arrived = 0
  for (;;) {
    const batch = await api.deps.sandbox.deliverDue({ id: tenant.id, code: tenant.code }, (request) =>
      api.fetch(request),
    )
    if (batch === 0) return arrived
    arrived += batch
  }
}
