import { and, asc, desc, eq, gt, isNull, lt, lte, or } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { notices } from '#api/db/schema/content.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import type { Notice, NoticeSummary } from '#contract/content.ts'
import type { NoticeId } from '#contract/ids.ts'
import type { Page } from '#contract/paging.ts'

const summary = { id: notices.id, title: notices.title, pinned: notices.pinned, createdAt: notices.createdAt }
const branded = (row: { id: string; title: string; pinned: boolean; createdAt: string }): NoticeSummary => ({
  ...row,
  id: row.id as NoticeId,
})

const visible = ({ customer, clock }: Ctx) => {
  const now = clock.now().toISOString()
  return and(
    eq(notices.customerId, customer.id),
    or(isNull(notices.showFrom), lte(notices.showFrom, now)),
    or(isNull(notices.showTo), gt(notices.showTo, now)),
  )
}

/** Notices within their period, pinned first, then latest first. */
export const listNotices = async (
  ctx: Ctx,
  { page, size }: { page: number; size: number },
): Promise<Page<NoticeSummary>> => {
  const rows = await ctx.db
    .select(summary)
    .from(notices)
    .where(visible(ctx))
    .orderBy(desc(notices.pinned), desc(notices.createdAt), desc(notices.id))
    .limit(size)
    .offset((page - 1) * size)
  return { items: rows.map(branded), total: await ctx.db.$count(notices, visible(ctx)), page, size }
}

/** One notice, with those before and after it in time. */
export const getNotice = async (ctx: Ctx, id: NoticeId): Promise<Notice | Failure> => {
  const [row] = await ctx.db
    .select()
    .from(notices)
    .where(and(visible(ctx), eq(notices.id, id)))
  if (!row) return failure('NOT_FOUND')
  const [previous] = await ctx.db
    .select(summary)
    .from(notices)
    .where(and(visible(ctx), lt(notices.createdAt, row.createdAt)))
    .orderBy(desc(notices.createdAt))
    .limit(1)
  const [next] = await ctx.db
    .select(summary)
    .from(notices)
    .where(and(visible(ctx), gt(notices.createdAt, row.createdAt)))
    .orderBy(asc(notices.createdAt))
    .limit(1)
  const { title, body, pinned, attachments, createdAt } = row
  return {
    id,
    title,
    body,
    pinned,
    attachments,
    createdAt,
    previous: previous ? branded(previous) : null,
    next: next ? branded(next) : null,
  }
}
