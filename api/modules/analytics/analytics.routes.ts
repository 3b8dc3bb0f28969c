import { implementProcedures, transact } from '#api/platform/http/procedures.ts'
import { csvType } from '#contract/admin/lists.ts'
import { getProductAnalytics, getProductRetention, getStoreAnalytics, listProductAnalytics } from './analytics.ts'
import { analyticsFile } from './analytics-table.ts'

const os = implementProcedures()

export const analyticsProcedures = {
  store: os.analytics.store.handler(({ context, input }) => transact(context, (ctx) => getStoreAnalytics(ctx, input))),
  products: os.analytics.products.handler(({ context, input }) =>
    transact(context, (ctx) => listProductAnalytics(ctx, input)),
  ),
  product: os.analytics.product.handler(({ context, input }) =>
    transact(context, (ctx) => getProductAnalytics(ctx, input)),
  ),
  retention: os.analytics.retention.handler(({ context, input }) =>
    transact(context, (ctx) => getProductRetention(ctx, input)),
  ),
  table: os.analytics.table.handler(async ({ context, input }) => {
    const { name, text } = await transact(context, (ctx) => analyticsFile(ctx, input))
    return new File([text], name, { type: csvType })
  }),
}
