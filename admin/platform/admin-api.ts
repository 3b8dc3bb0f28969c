import { adminProcedures } from '#contract/procedures/admin.ts'
import { mediaProcedures } from '#contract/procedures/media.ts'
import { useClient } from './client'

const procedures = { admin: adminProcedures, media: mediaProcedures }

/**
 * The client of what pages show and change. It is loaded with the first page, after the sign-in.
 */
export const useAdminApi = () => useClient(procedures)

export type AdminApi = ReturnType<typeof useAdminApi>
