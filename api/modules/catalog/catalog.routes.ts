import type { TenantCache } from '#api/modules/tenancy/stores.ts'
import { implementProcedures, transact, transactAsOperator, unwrap } from '#api/platform/http/procedures.ts'
import { ifMatch } from '#api/platform/http/request-facts.ts'
import { type MediaStorage, storeDownload } from '#api/platform/storage/storage.ts'
import type { StoreProductBulkResult } from '#contract/admin/product-bulk.ts'
import { listCategories } from './categories.ts'
import { changeProductOfMany, createProductPreview, duplicateProduct, restoreProductOfMany } from './product-actions.ts'
import { checkDiscount } from './product-options.ts'
import { addAttachment, changeProductParts, viewProductParts } from './product-parts.ts'

const os = implementProcedures<{ cache: TenantCache; storage: MediaStorage }>()

export const catalogProcedures = {
  categories: os.catalog.categories.handler(async ({ context }) => ({
    items: await transact(context, (ctx) => listCategories(ctx, context.deps.cache)),
  })),
}

/** What operators do with products besides editing their fields. */
export const productActionProcedures = {
  duplicate: os.admin.products.duplicate.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => duplicateProduct(ctx, by, input)),
  ),
  changeMany: os.admin.products.changeMany.handler(async ({ context, input: { codes, ...change } }) => {
    unwrap(checkDiscount({ locale: context.locale, clock: context.deps.clock }, change.discount))
    const items: StoreProductBulkResult['items'] = []
    // Each in a transaction of its own: one that fails leaves the others as they are.
    for (const code of new Set(codes))
      items.push(await transactAsOperator(context, (ctx, by) => changeProductOfMany(ctx, by, code, change)))
    return { items }
  }),
  restoreMany: os.admin.products.restoreMany.handler(async ({ context, input: { items: befores } }) => {
    const items: StoreProductBulkResult['items'] = []
    for (const before of befores)
      items.push(await transactAsOperator(context, (ctx, by) => restoreProductOfMany(ctx, by, before)))
    return { items }
  }),
  parts: os.admin.products.parts.handler(({ context, input }) =>
    transact(context, (ctx) => viewProductParts(ctx, input.code)),
  ),
  changeParts: os.admin.products.changeParts.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => changeProductParts(ctx, by, ifMatch(context), input)),
  ),
  addAttachment: os.admin.products.addAttachment.handler(async ({ context, input: { code, file } }) => {
    // Nothing is stored for a product that is not there.
    await transact(context, (ctx) => viewProductParts(ctx, code))
    const stored = await storeDownload(context.customer, context.deps.storage, 'file', file)
    return transactAsOperator(context, (ctx, by) => addAttachment(ctx, by, code, stored))
  }),
  createPreview: os.admin.products.createPreview.handler(({ context, input }) => {
    const link = { ...input, secret: context.deps.secret, origin: context.origin }
    return transactAsOperator(context, (ctx, by) => createProductPreview(ctx, by, link))
  }),
}
