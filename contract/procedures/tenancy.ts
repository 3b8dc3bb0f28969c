import { contractStatus, siteSettings, tenantAnswer, tenantQuery } from '../tenancy.ts'
import { procedure } from './procedure.ts'

const tag = 'Tenancy'

export const tenancyProcedures = {
  contract: procedure('public', 'GET', '/contract', {
    tag,
    summary: 'Whether the store and its contract are open',
  }).output(contractStatus),
  siteSettings: procedure('public', 'GET', '/site-settings', { tag, summary: "The tenant's own configuration" }).output(
    siteSettings,
  ),
}

/** Procedures of the whole installation, below /api/v1. They belong to no tenant. */
export const installationProcedures = {
  resolveTenant: procedure('public', 'GET', '/tenants/resolve', {
    tag,
    summary: 'Which tenant a host belongs to',
  })
    .input(tenantQuery)
    .output(tenantAnswer),
}
