import type { TenantCache } from '#api/modules/tenancy/stores.ts'
import { implementProcedures, transact } from '#api/platform/http/procedures.ts'
import { listCategories } from './categories.ts'

const os = implementProcedures<{ cache: TenantCache }>()

export const catalogProcedures = {
  categories: os.catalog.categories.handler(async ({ context }) => ({
    items: await transact(context, (ctx) => listCategories(ctx, context.deps.cache)),
  })),
}
