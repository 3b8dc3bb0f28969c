import type { TenantCache } from '#api/modules/tenancy/stores.ts'
import type { Ctx } from '#api/platform/context.ts'
import { type Expected, implementProcedures, type ProcedureContext, transact } from '#api/platform/http/procedures.ts'
import { getNotice, getPage, listBanners, listFaq, listNotices, listPages, searchFaq } from './content.ts'

/** What the procedures of this module need of the process. */
interface ContentDeps {
  cache: TenantCache
}

const os = implementProcedures<ContentDeps>()

/** Caches a read that is equal for all visitors until the tenant's version changes. */
const shared = <Answer>(
  context: ProcedureContext<ContentDeps>,
  key: string,
  work: (ctx: Ctx) => Promise<Answer>,
): Promise<Expected<Answer>> => context.deps.cache.get(context, key, () => transact(context, work))

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
