import { offeredMethods } from '#api/domain/payments/methods.ts'
import { os } from '../implementer.ts'

export const tenancyCalls = {
  contract: os.tenancy.contract.handler(({ context: { customer } }) => ({
    useCustomer: customer.useCustomer,
    useSite: customer.useSite,
    version: customer.version,
  })),
  // Of the methods the tenant wishes for, those that the payment provider can take.
  siteSettings: os.tenancy.siteSettings.handler(({ context: { customer, deps } }) => ({
    ...customer.settings,
    order: { ...customer.settings.order, methods: offeredMethods({ customer, provider: deps.payments }) },
  })),
}
