import { contractStatus, siteSettings } from '../tenancy.ts'
import { procedure } from './procedure.ts'

const tag = 'Tenant'

export const tenancyProcedures = {
  contract: procedure('public', 'GET', '/contract', {
    tag,
    summary: 'Whether the store and its contract are open',
  }).output(contractStatus),
  siteSettings: procedure('public', 'GET', '/site-settings', { tag, summary: "The tenant's own configuration" }).output(
    siteSettings,
  ),
}
