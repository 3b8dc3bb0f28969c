import type { Ctx } from '#api/context.ts'
import { findProduct, findVideo, lessonsOf } from '#api/db/queries/playables.ts'
import { visibleProduct } from '#api/domain/catalog/visible-product.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import { titleOf } from '#api/domain/translations.ts'
import type { ProductId, VideoId } from '#contract/ids.ts'
import type { Preview } from '#contract/playback.ts'

/** A product's public preview: a stream of its own, so that its address opens nothing of the film. */
export const getPreview = async (
  ctx: Ctx,
  { id, previewId }: { id: ProductId; previewId: VideoId },
): Promise<Preview | Failure> => {
  const { db, customer } = ctx
  const product = await findProduct(db, customer.id, id)
  if (!product || !(await visibleProduct(ctx, id))) return failure('NOT_FOUND')
  const belongs =
    product.videoId === previewId || (await lessonsOf(db, customer.id, id)).some(({ video }) => video.id === previewId)
  const video = belongs ? await findVideo(db, customer.id, previewId) : null
  if (!video?.previewAsset || video.previewSeconds === null) return failure('NOT_FOUND')
  const address = `/p/${video.previewAsset}`
  return {
    ...titleOf(ctx, product),
    manifestUrl: `${address}/master.m3u8`,
    durationSeconds: Math.min(video.previewSeconds, video.durationSeconds),
    poster: product.poster,
    captions: video.captions.map(({ language, label }) => ({
      language,
      label,
      url: `${address}/captions/${language}.vtt`,
    })),
  }
}
