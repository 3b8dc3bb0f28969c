import type { Ctx } from '#api/context.ts'
import { attachmentsOf } from '#api/db/queries/playables.ts'
import { readProductState } from '#api/db/queries/product-state.ts'
import { rightOf } from '#api/domain/entitlements/rights.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import { translate, translationFor } from '#api/domain/translations.ts'
import type { TenantCache } from '#api/tenant-cache.ts'
import type { Attachment } from '#contract/catalog.ts'
import type { AttachmentId, ProductId } from '#contract/ids.ts'
import { isVisible } from './visible-product.ts'

/** The files of a product, and whether the asking person may download them. */
export const listAttachments = async (
  ctx: Ctx,
  cache: TenantCache,
  productId: ProductId,
): Promise<Attachment[] | Failure> => {
  const product = await readProductState(ctx.db, ctx.customer.id, productId)
  if (!product) return failure('NOT_FOUND')
  const right = await rightOf(ctx, product)
  if (!isVisible(product, right, ctx.customer.settings.order)) return failure('NOT_FOUND')
  const rows = await cache.get(ctx, `attachments:${productId}`, () => attachmentsOf(ctx.db, ctx.customer.id, productId))
  return rows.map((row) => {
    const translation = translationFor(ctx, row.translations)
    const { name, confirmationText, languages } = translate(
      ctx,
      row,
      translation && { ...translation, confirmationText: translation.confirmation ?? '' },
      ['name', 'confirmationText'],
    )
    return {
      id: row.id as AttachmentId,
      name,
      contentType: row.contentType,
      bytes: row.bytes,
      confirmationText,
      available: right.entitled,
      ...(languages && { languages }),
    }
  })
}
