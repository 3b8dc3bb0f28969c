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
  // By the product's own id it is the preview of its own video.
  const videoId = (previewId as string) === id ? (product.videoId as VideoId | null) : previewId
  const belongs =
    product.videoId === videoId || (await lessonsOf(db, customer.id, id)).some(({ video }) => video.id === videoId)
  const video = videoId && belongs ? await findVideo(db, customer.id, videoId) : null
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
