import { findAttachment, findProduct } from '#api/modules/catalog/playables.queries.ts'
import { beginFulfillment, claimFreeProduct, rightOf } from '#api/modules/entitlements/entitlements.ts'
import { isVisible, visibilityOf } from '#api/modules/entitlements/visible-product.ts'
import { type Ctx, type Failure, failure, isMemberCtx } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { signMedia } from '#api/platform/storage/media-urls.ts'
import type { AttachmentId, PlayId, ProductId } from '#contract/ids.ts'

const minutes = 10

/**
 * Opens one attachment of a product for some minutes. The request confirms that the terms were
 * accepted. The first download of a purchase starts its fulfillment, which is recorded as evidence.
 */
export const openAttachment = async (
  ctx: Ctx,
  { id, attachmentId }: { id: ProductId; attachmentId: AttachmentId },
  mediaSecret: string,
): Promise<{ url: string; name: string; expiresAt: string } | Failure> => {
  const { db, customer, actor } = ctx
  const product = await findProduct(db, customer.id, id)
  if (!product) return failure('NOT_FOUND')
  const right = await rightOf(ctx, { id, access: product.access })
  if (!isVisible(product, right, visibilityOf(ctx))) return failure('NOT_FOUND')
  const attachment = await findAttachment(db, customer.id, id, attachmentId)
  if (!attachment) return failure('NOT_FOUND')
  if (!right.entitled) return failure('NOT_ENTITLED')
  if (isMemberCtx(ctx)) {
    await claimFreeProduct(ctx, product, right)
    const use = { kind: 'DOWNLOAD', subject: attachmentId, accepted: true } as const
    await beginFulfillment(ctx, id, right, use)
  }
  const expiresAt = new Date(ctx.clock.now().getTime() + minutes * 60_000)
  const url = signMedia(mediaSecret, {
    customerId: customer.id,
    memberId: actor.kind === 'USER' ? actor.memberId : null,
    productId: id,
    lessonId: null,
    playId: newId<PlayId>(),
    asset: `attachment/${attachmentId}`,
    expiresAt: expiresAt.getTime() / 1000,
  })
  return { url, name: attachment.name, expiresAt: expiresAt.toISOString() }
}
