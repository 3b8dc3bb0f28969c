import type { Ctx } from '#api/context.ts'
import { readNotice, readNotices } from '#api/db/queries/content.ts'
import { failure } from '#api/domain/failure.ts'
import { sanitizeHtml } from '#api/html.ts'
import type { Notice } from '#contract/content.ts'
import type { NoticeId } from '#contract/ids.ts'
import type { PagingQuery } from '#contract/paging.ts'

/** Notices within their period: pinned first, then the latest. */
export const listNotices = async ({ customer, db, clock }: Ctx, paging: PagingQuery) => ({
  ...(await readNotices(db, customer.id, clock.now().toISOString(), paging)),
  ...paging,
})

/** One notice, with its neighbours in time. */
export const getNotice = async ({ customer, db, clock }: Ctx, id: NoticeId) => {
  const notice = await readNotice(db, customer.id, id, clock.now().toISOString())
  return notice ? ({ ...notice, body: sanitizeHtml(notice.body) } satisfies Notice) : failure('NOT_FOUND')
}
