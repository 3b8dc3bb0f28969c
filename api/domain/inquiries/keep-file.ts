import type { MemberCtx } from '#api/context.ts'
import { countLooseFiles } from '#api/db/queries/inquiries.ts'
import { inquiryFiles } from '#api/db/schema/inquiries.ts'
import { failure } from '#api/domain/failure.ts'
import type { MediaKey } from '#api/media/key.ts'
import type { CustomerId, InquiryFileId } from '#contract/ids.ts'
import { viewFile } from './view-inquiry.ts'

/** Files sent and not yet part of a message, at most; one that is left lying is removed after a day. */
const looseAtMost = 20

export const inquiryFileKey = (customerId: CustomerId, id: InquiryFileId) => `inquiry/${customerId}/${id}` as MediaKey

/** Writes down a file that has been stored; it belongs to no message yet. */
export const keepFile = async (
  ctx: MemberCtx,
  file: { id: InquiryFileId; name: string; contentType: string; bytes: number },
  mediaSecret: string,
) => {
  const { db, customer, actor, clock } = ctx
  if (!customer.settings.order.useInquiry) return failure('INQUIRY_DISABLED')
  if ((await countLooseFiles(db, customer.id, actor.memberId)) >= looseAtMost)
    return failure('RATE_LIMITED', { retryAfterSeconds: 3600 })
  const row = {
    ...{ customerId: customer.id, memberId: actor.memberId, messageId: null, ...file },
    asset: inquiryFileKey(customer.id, file.id),
    createdAt: clock.now().toISOString(),
  }
  await db.insert(inquiryFiles).values(row)
  return viewFile(ctx, row, mediaSecret)
}
