import { contractStatus, siteSettings, tenantAnswer, tenantQuery } from '../tenancy.ts'
import { procedure } from './procedure.ts'

const tag = 'Tenancy'

export const tenancyProcedures = {
  contract: procedure('public', 'GET', '/contract', {
    tag,
    summary: 'Retrieve the contract status',
    description: 'Returns whether the customer and its site are active, and whether the store is open.',
  }).output(contractStatus),
  siteSettings: procedure('public', 'GET', '/site-settings', { tag, summary: 'Retrieve the site settings' }).output(
    siteSettings,
  ),
}

/** Procedures of the whole installation, below /api/v1. They are not scoped to a tenant. */
export const installationProcedures = {
  resolveTenant: procedure('public', 'GET', '/tenants/resolve', {
    tag,
    summary: 'Resolve the tenant of a host',
  })
    .input(tenantQuery)
    .output(tenantAnswer),
}
