import { offeredMethods } from '#api/domain/payments/methods.ts'
import { os } from '../implementer.ts'

export const tenancyCalls = {
  contract: os.tenancy.contract.handler(({ context: { customer, preview, hostCustomerCode } }) => ({
    useCustomer: customer.useCustomer,
    useSite: customer.useSite,
    opened: customer.opened,
    preview,
    hostCustomerCode,
    version: customer.version,
  })),
  // Of the methods the tenant wishes for, those that the payment provider can take.
  siteSettings: os.tenancy.siteSettings.handler(({ context: { customer, deps } }) => {
    const provider = deps.providerOf(customer)
    const { order } = customer.settings
    return {
      ...customer.settings,
      order: { ...order, methods: offeredMethods({ customer, provider }), paymentOrigins: [...provider.pageOrigins] },
    }
  }),
}
