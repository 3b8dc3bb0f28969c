import { productFigures, productsFigures, storeFigures } from '#api/domain/figures/list-figures.ts'
import { transact } from '../call-context.ts'
import { os } from '../implementer.ts'

export const figuresCalls = {
  store: os.figures.store.handler(({ context, input }) => transact(context, (ctx) => storeFigures(ctx, input))),
  products: os.figures.products.handler(({ context, input }) =>
    transact(context, (ctx) => productsFigures(ctx, input)),
  ),
  product: os.figures.product.handler(({ context, input }) => transact(context, (ctx) => productFigures(ctx, input))),
}
