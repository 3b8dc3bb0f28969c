import { os } from '../implementer.ts'

export const tenancyCalls = {
  contract: os.tenancy.contract.handler(({ context: { customer } }) => ({
    useCustomer: customer.useCustomer,
    useSite: customer.useSite,
    version: customer.version,
  })),
  siteSettings: os.tenancy.siteSettings.handler(({ context }) => context.customer.settings),
}
