import type { Ctx } from '#api/platform/context.ts'
import { type CallContext, type Expected, os, transact } from '#api/platform/http/procedures.ts'
import { getNotice, getPage, listBanners, listFaq, listNotices, listPages, searchFaq } from './content.ts'

/** Caches a read that is equal for all visitors until the tenant's version changes. */
const shared = <Answer>(
  call: CallContext,
  key: string,
  work: (ctx: Ctx) => Promise<Answer>,
): Promise<Expected<Answer>> => call.deps.cache.get(call, key, () => transact(call, work))

export const contentProcedures = {
  banners: os.content.banners.handler(async ({ context }) => ({
    items: await shared(context, 'banners', listBanners),
  })),
  notices: os.content.notices.handler(({ context, input }) =>
    shared(context, `notices:${input.page}:${input.size}`, (ctx) => listNotices(ctx, input)),
  ),
  notice: os.content.notice.handler(({ context, input }) => transact(context, (ctx) => getNotice(ctx, input.id))),
  faq: os.content.faq.handler(async ({ context, input }) => {
    const entries = await shared(context, 'faq', listFaq)
    return { items: input.q ? searchFaq(entries, input.q) : entries }
  }),
  pages: os.content.pages.handler(async ({ context }) => ({
    items: await shared(context, `pages:${context.preview}`, (ctx) => listPages(ctx, context)),
  })),
  page: os.content.page.handler(({ context, input }) =>
    shared(context, `page:${input.type}:${context.preview}`, (ctx) => getPage(ctx, input.type, context)),
  ),
}
