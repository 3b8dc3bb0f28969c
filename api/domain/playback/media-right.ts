import type { Clock } from '#api/context.ts'
import type { TenantDb } from '#api/db/client.ts'
import { findAttachment, findLesson, findProduct, findVideo } from '#api/db/queries/playables.ts'
import { rightOf } from '#api/domain/entitlements/rights.ts'
import { parseMediaKey } from '#api/media/key.ts'
import type { MediaRight } from '#api/media/serve.ts'
import type { MediaGrant } from '#api/media/sign.ts'
import type { ProductAccess } from '#contract/enumerations.ts'
import type { AttachmentId, MemberId, SessionId, VideoId } from '#contract/ids.ts'

interface Asking {
  db: TenantDb
  clock: Clock
  /** The member whose live session the request carries; null for everyone else. */
  member: { memberId: MemberId; sessionId: SessionId } | null
}

/**
 * What a well-signed address leads to at this moment. It opens for the person it was made for alone, and for as long as their right
 * lives: a refund, an expired rental or a sign-out closes it with the next segment. A guest's address opens what is free.
 */
export const mediaRight = async ({ db, clock, member }: Asking, grant: MediaGrant): Promise<MediaRight> => {
  if (grant.memberId !== null && grant.memberId !== member?.memberId) return 'CLOSED'
  const product = await findProduct(db, grant.customerId, grant.productId)
  if (!product || product.status === 'DRAFT') return 'CLOSED'
  const actor =
    member && grant.memberId !== null
      ? ({ kind: 'USER', ...member, guestId: null } as const)
      : ({ kind: 'GUEST', guestId: null } as const)
  const ctx = { customer: { id: grant.customerId }, actor, db, clock }
  const right = await rightOf(ctx, { id: grant.productId, access: product.access as ProductAccess })
  const lesson = grant.lessonId && (await findLesson(db, grant.customerId, grant.productId, grant.lessonId))
  if (!right.entitled && !lesson?.free) return 'CLOSED'

  const [kind, id = ''] = grant.asset.split('/')
  if (kind === 'attachment') {
    const attachment = await findAttachment(db, grant.customerId, grant.productId, id as AttachmentId)
    const key = attachment && right.entitled ? parseMediaKey(attachment.asset) : null
    return attachment && key ? { key, name: attachment.name, contentType: attachment.contentType } : 'CLOSED'
  }
  // A video that was exchanged or taken away from the product is closed with it.
  const videoId = lesson ? lesson.videoId : grant.lessonId === null ? product.videoId : null
  const video = videoId && (await findVideo(db, grant.customerId, videoId as VideoId))
  return video && video.asset === grant.asset ? 'STREAM' : 'CLOSED'
}
