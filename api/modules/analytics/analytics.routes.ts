import { assertPermission, fromReplica, implementProcedures, transact } from '#api/platform/http/procedures.ts'
import { csvType } from '#contract/admin/lists.ts'
import {
  getProductAnalytics,
  getProductRetention,
  getStoreAnalytics,
  listMissedSearches,
  listProductAnalytics,
} from './analytics.ts'
import { analyticsFile } from './analytics-table.ts'
import { getSales, getSettlements, getSubscriptionAnalytics, listTitleRevenue } from './sales.ts'

const os = implementProcedures()

export const analyticsProcedures = {
  store: os.analytics.store.handler(({ context, input }) =>
    transact(fromReplica(context), (ctx) => getStoreAnalytics(ctx, input)),
  ),
  products: os.analytics.products.handler(({ context, input }) =>
    transact(fromReplica(context), (ctx) => listProductAnalytics(ctx, input)),
  ),
  product: os.analytics.product.handler(({ context, input }) =>
    transact(fromReplica(context), (ctx) => getProductAnalytics(ctx, input)),
  ),
  retention: os.analytics.retention.handler(({ context, input }) =>
    transact(fromReplica(context), (ctx) => getProductRetention(ctx, input)),
  ),
  sales: os.analytics.sales.handler(({ context, input }) =>
    transact(fromReplica(context), (ctx) => getSales(ctx, input)),
  ),
  settlements: os.analytics.settlements.handler(({ context, input }) =>
    transact(fromReplica(context), (ctx) => getSettlements(ctx, input)),
  ),
  titles: os.analytics.titles.handler(({ context, input }) =>
    transact(fromReplica(context), (ctx) => listTitleRevenue(ctx, input)),
  ),
  subscriptions: os.analytics.subscriptions.handler(({ context, input }) =>
    transact(fromReplica(context), (ctx) => getSubscriptionAnalytics(ctx, input)),
  ),
  searches: os.analytics.searches.handler(({ context, input }) =>
    transact(fromReplica(context), (ctx) => listMissedSearches(ctx, input)),
  ),
  table: os.analytics.table.handler(async ({ context, input }) => {
    // Money is for those who may see orders.
    const isOfMoney = input.of !== 'plays' && input.of !== 'searches'
    if (context.operator && isOfMoney) assertPermission(context.operator, 'orders:read')
    const { name, text } = await transact(fromReplica(context), (ctx) => analyticsFile(ctx, input))
    return new File([text], name, { type: csvType })
  }),
}
