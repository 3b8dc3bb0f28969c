import type { MemberCtx } from '#api/context.ts'
import { attachFiles, lockLooseFiles } from '#api/db/queries/inquiries.ts'
import { inquiryMessages } from '#api/db/schema/inquiries.ts'
import { newId } from '#api/db/uuid.ts'
import { failure } from '#api/domain/failure.ts'
import type { InquiryFileId } from '#contract/ids.ts'

/** The member's files for a message, each once; a file that is another's, or used before, is refused by name of its field. */
export const takeFiles = async ({ db, customer, actor }: MemberCtx, ids: readonly InquiryFileId[]) => {
  if (ids.length === 0) return []
  const wanted = [...new Set(ids)]
  const found = await lockLooseFiles(db, customer.id, actor.memberId, wanted)
  if (found.length < wanted.length)
    return failure('VALIDATION_FAILED', { errors: { files: ['This file is no longer available. Upload it again.'] } })
  return wanted
}

/** Writes a member's message with the files taken for it. */
export const addMessage = async (
  { db, customer, clock }: MemberCtx,
  inquiryId: string,
  body: string,
  files: readonly InquiryFileId[],
) => {
  const id = newId()
  const createdAt = clock.now().toISOString()
  await db.insert(inquiryMessages).values({ customerId: customer.id, id, inquiryId, author: 'MEMBER', body, createdAt })
  if (files.length > 0) await attachFiles(db, customer.id, files, id)
}
