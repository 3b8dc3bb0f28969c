import { contractStatus, siteSettings } from '../tenancy.ts'
import { call } from './call.ts'

const tag = 'Tenant'

export const tenancyCalls = {
  contract: call('public', 'GET', '/contract', { tag, summary: 'Whether the store and its contract are open' }).output(
    contractStatus,
  ),
  siteSettings: call('public', 'GET', '/site-settings', { tag, summary: "The tenant's own configuration" }).output(
    siteSettings,
  ),
}
