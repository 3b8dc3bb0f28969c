import type { PaymentEnv } from '#api/modules/billing/payment-states.ts'
import { unattendedPaymentEnv } from '#api/modules/billing/payment-states.ts'
import type { PaymentProvider } from '#api/modules/billing/providers/provider.ts'
import { reconcile } from '#api/modules/billing/reconcile-payments.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import type { Tenant } from './tenant.ts'
import type { TestApi } from './test-api.ts'

/** The environment of payment functions in background work. */
export const envOf = async (api: TestApi, tenant: Tenant) => {
  const customer = await resolveCustomer(api.deps, tenant.code)
  return unattendedPaymentEnv(api.deps, customer!, 'a-test')
}

/** The same environment, with some functions of the provider replaced. */
export const withProvider = (env: PaymentEnv, overrides: Partial<PaymentProvider>): PaymentEnv => {
  const provider = { ...env.provider, ...overrides }
  return { ...env, provider, providerNamed: () => provider }
}

export const reconcileNow = async (api: TestApi, tenant: Tenant) => reconcile(await envOf(api, tenant))

/** Sends the sandbox's webhooks that are due; answers how many arrived. */
export const deliverDue = (api: TestApi, tenant: Tenant) =>
  api.deps.sandbox.deliverDue({ id: tenant.id, code: tenant.code }, (request) => api.fetch(request))
