import { os, transact } from '#api/platform/http/procedures.ts'
import { figuresTableType } from '#contract/figures.ts'
import { productFigures, productRetention, productsFigures, storeFigures } from './analytics.ts'
import { figuresFile } from './analytics-table.ts'

export const figuresProcedures = {
  store: os.figures.store.handler(({ context, input }) => transact(context, (ctx) => storeFigures(ctx, input))),
  products: os.figures.products.handler(({ context, input }) =>
    transact(context, (ctx) => productsFigures(ctx, input)),
  ),
  product: os.figures.product.handler(({ context, input }) => transact(context, (ctx) => productFigures(ctx, input))),
  retention: os.figures.retention.handler(({ context, input }) =>
    transact(context, (ctx) => productRetention(ctx, input)),
  ),
  table: os.figures.table.handler(async ({ context, input }) => {
    const { name, text } = await transact(context, (ctx) => figuresFile(ctx, input))
    return new File([text], name, { type: figuresTableType })
  }),
}
