import { offeredMethods } from '#api/modules/billing/payment-states.ts'
import type { ProviderOf } from '#api/modules/billing/providers.ts'
import { implementProcedures } from '#api/platform/http/procedures.ts'

const os = implementProcedures<{ providerOf: ProviderOf }>()

/**
 * The settings of a store as the storefront reads them: with the payment methods that its payment
 * provider supports, of those the store has chosen.
 */
export const siteProcedures = {
  siteSettings: os.tenancy.siteSettings.handler(({ context: { customer, deps } }) => {
    const provider = deps.providerOf(customer)
    const { order } = customer.settings
    return {
      ...customer.settings,
      order: { ...order, methods: offeredMethods({ customer, provider }), paymentOrigins: [...provider.pageOrigins] },
    }
  }),
}
