import type { PaymentEnv } from '#api/modules/billing/payment-states.ts'
import type { PaymentProvider } from '#api/modules/billing/providers/provider.ts'
import { unattendedPaymentEnv } from '#api/modules/billing/providers/providers.ts'
import { reconcile } from '#api/modules/billing/reconcile-payments.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import type { Tenant } from './tenant.ts'
import type { TestApi } from './test-api.ts'

/** What the verbs of payment get when nobody asks. */
export const envOf = async (api: TestApi, tenant: Tenant) => {
  const customer = await resolveCustomer(api.deps, tenant.code)
  return unattendedPaymentEnv(api.deps, customer!, 'a-test')
}

/** The same with a provider that behaves otherwise in some calls. */
export const behaving = (env: PaymentEnv, otherwise: Partial<PaymentProvider>): PaymentEnv => {
  const provider = { ...env.provider, ...otherwise }
  return { ...env, provider, providerNamed: () => provider }
}

export const reconcileNow = async (api: TestApi, tenant: Tenant) => reconcile(await envOf(api, tenant))

/** Sends the sandbox's webhooks that are due; answers how many arrived. */
export const deliverDue = (api: TestApi, tenant: Tenant) =>
  api.deps.sandbox.deliverDue({ id: tenant.id, code: tenant.code }, (request) => api.fetch(request))
