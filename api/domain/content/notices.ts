import type { Ctx } from '#api/context.ts'
import { readNotice, readNotices } from '#api/db/queries/content.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import { localesOf, translateParts, translateRow, translationFor } from '#api/domain/translations.ts'
import { sanitizeHtml } from '#api/html.ts'
import type { Notice, NoticeSummary } from '#contract/content.ts'
import type { NoticeId } from '#contract/ids.ts'
import type { Page, PagingQuery } from '#contract/paging.ts'
import type { Translations } from '#contract/translations.ts'

/** Notices within their period: pinned first, then the latest. */
export const listNotices = async (ctx: Ctx, paging: PagingQuery): Promise<Page<NoticeSummary>> => {
  const { items, total } = await readNotices(ctx.db, ctx.customer.id, ctx.clock.now().toISOString(), paging)
  return { items: items.map((row) => summaryOf(ctx, row)), total, ...paging }
}

/** One notice, with its neighbours in time. */
export const getNotice = async (ctx: Ctx, id: NoticeId): Promise<Notice | Failure> => {
  const row = await readNotice(ctx.db, ctx.customer.id, id, ctx.clock.now().toISOString())
  if (!row) return failure('NOT_FOUND')
  const notice = translateRow(ctx, row, ['title', 'body'])
  return {
    ...notice,
    body: sanitizeHtml(notice.body),
    attachments: translateParts(
      ctx,
      row.attachments,
      'name',
      translationFor(ctx, row.translations),
      'attachment_names',
    ),
    locales: localesOf(ctx.customer, row.translations, 'title'),
    previous: row.previous && summaryOf(ctx, row.previous),
    next: row.next && summaryOf(ctx, row.next),
  }
}

const summaryOf = <Row extends { title: string; translations: Translations }>(ctx: Ctx, row: Row) => ({
  ...translateRow(ctx, row, ['title']),
  locales: localesOf(ctx.customer, row.translations, 'title'),
})
