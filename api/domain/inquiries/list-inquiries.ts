import type { MemberCtx } from '#api/context.ts'
import { findInquiry, selectInquiries } from '#api/db/queries/inquiries.ts'
import { failure } from '#api/domain/failure.ts'
import type { CaseStatus } from '#contract/enumerations.ts'
import type { InquiryCode } from '#contract/ids.ts'
import { inquiryTypesOf } from './types.ts'
import { viewInquiry, viewSummary } from './view-inquiry.ts'

/** The member's inquiries, the one that moved last first. */
export const listInquiries = async (
  ctx: MemberCtx,
  query: { status?: CaseStatus | undefined; page: number; size: number },
) => {
  const types = await inquiryTypesOf(ctx)
  const { rows, total } = await selectInquiries(ctx.db, ctx.customer.id, ctx.actor.memberId, query)
  const items = rows.map(({ inquiry, replies }) => viewSummary(inquiry, Number(replies), types))
  return { items, total, page: query.page, size: query.size }
}

/** One of the member's inquiries. */
export const getInquiry = async (ctx: MemberCtx, code: InquiryCode, mediaSecret: string) => {
  const found = await findInquiry(ctx.db, ctx.customer.id, ctx.actor.memberId, code)
  return found ? viewInquiry(ctx, found, mediaSecret) : failure('NOT_FOUND')
}
