import { viewerStates } from '#api/domain/catalog/cards.ts'
import { listCategories } from '#api/domain/catalog/categories.ts'
import { getProduct } from '#api/domain/catalog/get-product.ts'
import { histories } from '#api/domain/catalog/histories.ts'
import { listAttachments } from '#api/domain/catalog/list-attachments.ts'
import { optionsOf, optionsOfProduct } from '#api/domain/catalog/options.ts'
import { searchProducts } from '#api/domain/catalog/search-products.ts'
import { readSitemap } from '#api/domain/catalog/sitemap.ts'
import { suggest } from '#api/domain/catalog/suggest.ts'
import { type CallContext, transact, writing } from '../call-context.ts'
import { os } from '../implementer.ts'
import { callerKey } from '../limits.ts'

const countsLook = (call: CallContext) => call.deps.limits.views.take(callerKey(call)).code === 'TAKEN'

export const catalogCalls = {
  categories: os.catalog.categories.handler(async ({ context }) => ({
    items: await transact(context, (ctx) => listCategories(ctx, context.deps.cache)),
  })),
  search: os.catalog.search.handler(({ context, input }) =>
    transact(context, (ctx) => searchProducts(ctx, context.deps, input)),
  ),
  suggest: os.catalog.suggest.handler(({ context, input }) =>
    transact(context, (ctx) => suggest(ctx, context.deps, input.q)),
  ),
  sitemap: os.catalog.sitemap.handler(({ context, input }) => transact(context, (ctx) => readSitemap(ctx, input.page))),
  recentlyWatched: os.catalog.recentlyWatched.handler(async ({ context, input }) => ({
    items: (await transact(context, (ctx) => histories(ctx, { watched: input.exposureLimit, viewed: 0 }))).watched,
  })),
  viewed: os.catalog.viewed.handler(async ({ context, input }) => ({
    items: (await transact(context, (ctx) => histories(ctx, { watched: 0, viewed: input.exposureLimit }))).viewed,
  })),
  histories: os.catalog.histories.handler(({ context, input: { exposureLimit } }) =>
    transact(context, (ctx) => histories(ctx, { watched: exposureLimit, viewed: exposureLimit })),
  ),
  product: os.catalog.product.handler(({ context, input }) => {
    // Beyond the limit of looks a product is shown all the same, and the look is not counted.
    const countView = input.view && countsLook(context)
    return transact(countView ? writing(context) : context, (ctx) =>
      getProduct(ctx, context.deps, input.id, { countView }),
    )
  }),
  viewerStates: os.catalog.viewerStates.handler(async ({ context, input }) => ({
    items: await transact(context, (ctx) => viewerStates(ctx, input.productIds)),
  })),
  productOptions: os.catalog.productOptions.handler(({ context, input }) =>
    transact(context, (ctx) => optionsOfProduct(ctx, input.id)),
  ),
  options: os.catalog.options.handler(async ({ context, input }) => ({
    items: await transact(context, (ctx) => optionsOf(ctx, input.productIds)),
  })),
  attachments: os.catalog.attachments.handler(async ({ context, input }) => ({
    items: await transact(context, (ctx) => listAttachments(ctx, context.deps.cache, input.id)),
  })),
}
