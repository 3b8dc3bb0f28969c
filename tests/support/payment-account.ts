import { unattendedPaymentCtx } from '#api/modules/billing/payment-states.ts'
import { choosePaymentAccount } from '#api/modules/tenancy/settings.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { encrypt } from '#api/platform/crypto.ts'
import type { Tenant } from './tenant.ts'
import type { TestApi } from './test-api.ts'

/** Gives a tenant an account at a provider, as the operators' command does. */
export const payAt = async (
  api: TestApi,
  tenant: Tenant,
  provider: string,
  { options = {}, secrets }: { options?: Record<string, string>; secrets?: Record<string, string> } = {},
) => {
  const customer = await resolveCustomer(api.deps, tenant.code)
  const ctx = unattendedPaymentCtx(api.deps, customer!, 'a-test')
  const encrypted = secrets ? encrypt(ctx.encryptionSecret, JSON.stringify(secrets)) : null
  const account = { provider, options, secrets: encrypted }
  const stored = Object.keys(secrets ?? {})
  await ctx.inTransaction((tx) => choosePaymentAccount(tx, 'admin:Jo', account, { stored, changed: stored }))
}
