import { tenantAnswer, tenantQuery } from '../tenancy.ts'
import { procedure } from './procedure.ts'

/** Procedures of the whole installation, below /api/v1. They belong to no tenant. */
export const installationProcedures = {
  resolveTenant: procedure('public', 'GET', '/tenants/resolve', {
    tag: 'Installation',
    summary: 'Which tenant a host belongs to',
  })
    .input(tenantQuery)
    .output(tenantAnswer),
}
