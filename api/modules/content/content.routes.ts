import type { TenantCache } from '#api/modules/tenancy/stores.ts'
import type { Ctx } from '#api/platform/context.ts'
import {
  type Expected,
  implementProcedures,
  type ProcedureContext,
  transact,
  transactAsOperator,
} from '#api/platform/http/procedures.ts'
import { ifMatch } from '#api/platform/http/request-facts.ts'
import { sanitizeHtml } from '#api/platform/text.ts'
import {
  createContentPreview,
  deleteOne,
  getNotice,
  getPage,
  listAllPages,
  listBanners,
  listFaq,
  listNotices,
  listPages,
  searchFaq,
  viewPage,
} from './content.ts'
import * as store from './store-content.ts'
import { changePage, createPage, movePage } from './store-pages.ts'

/** What the procedures of this module need of the process. */
interface ContentDeps {
  cache: TenantCache
  /** Signs preview links. */
  secret: string
}

const os = implementProcedures<ContentDeps>()

/** Caches a read that is equal for all visitors until the tenant's version changes. */
const shared = <Answer>(
  context: ProcedureContext<ContentDeps>,
  key: string,
  work: (ctx: Ctx) => Promise<Answer>,
): Promise<Expected<Answer>> => context.deps.cache.get(context, key, () => transact(context, work))

/** A preview of a later time shows what visitors will see, which are no drafts. */
const readerIn = ({ preview, previewAt }: ProcedureContext) => ({ preview: preview && previewAt === null })

export const contentProcedures = {
  banners: os.content.banners.handler(async ({ context }) => ({
    items: await shared(context, 'banners', listBanners),
  })),
  notices: os.content.notices.handler(({ context, input }) =>
    shared(context, `notices:${input.page}:${input.size}`, (ctx) => listNotices(ctx, input)),
  ),
  notice: os.content.notice.handler(({ context, input }) => transact(context, (ctx) => getNotice(ctx, input.id))),
  faq: os.content.faq.handler(async ({ context, input }) => {
    const entries = context.previewedContent?.faq
      ? await transact(context, listFaq)
      : await shared(context, 'faq', listFaq)
    return { items: input.q ? searchFaq(entries, input.q) : entries }
  }),
  pages: os.content.pages.handler(async ({ context }) => ({
    items: await shared(context, `pages:${context.preview}`, (ctx) => listPages(ctx, readerIn(context))),
  })),
  page: os.content.page.handler(({ context, input: { type } }) => {
    const read = (ctx: Ctx) => getPage(ctx, type, readerIn(context))
    if (context.previewedContent?.page === type) return transact(context, read)
    return shared(context, `page:${type}:${context.preview}`, read)
  }),
}

const admin = os.admin

/** Creates a link that shows one object of content in any state. */
const previewOf = (
  context: ProcedureContext<ContentDeps>,
  shown: Pick<Parameters<typeof createContentPreview>[2], 'kind' | 'id' | 'at'>,
) => {
  const link = { ...shown, secret: context.deps.secret, origin: context.origin }
  return transactAsOperator(context, (ctx, by) => createContentPreview(ctx, by, link))
}

const notices = {
  list: admin.notices.list.handler(({ context, input }) => transact(context, (ctx) => store.pageNotices(ctx, input))),
  get: admin.notices.get.handler(({ context, input }) => transact(context, (ctx) => store.viewNotice(ctx, input.id))),
  create: admin.notices.create.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => store.createNotice(ctx, by, input)),
  ),
  change: admin.notices.change.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => store.changeNotice(ctx, by, ifMatch(context), input)),
  ),
  createPreview: admin.notices.createPreview.handler(({ context, input: { id, at } }) =>
    previewOf(context, { kind: 'notice', id, at }),
  ),
  delete: admin.notices.delete.handler(async ({ context, input: { id } }) => {
    await transactAsOperator(context, (ctx, by) => deleteOne(ctx, 'notice', { by, expected: ifMatch(context), id }))
  }),
}

const faq = {
  list: admin.faq.list.handler(({ context }) => transact(context, store.listAllFaq)),
  get: admin.faq.get.handler(({ context, input }) => transact(context, (ctx) => store.viewFaq(ctx, input.id))),
  create: admin.faq.create.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => store.createFaq(ctx, by, input)),
  ),
  change: admin.faq.change.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => store.changeFaq(ctx, by, ifMatch(context), input)),
  ),
  createPreview: admin.faq.createPreview.handler(({ context, input: { id, at } }) =>
    previewOf(context, { kind: 'faq', id, at }),
  ),
  move: admin.faq.move.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => store.moveFaq(ctx, by, ifMatch(context), input)),
  ),
  delete: admin.faq.delete.handler(async ({ context, input: { id } }) => {
    await transactAsOperator(context, (ctx, by) => deleteOne(ctx, 'faq', { by, expected: ifMatch(context), id }))
  }),
}

const pages = {
  list: admin.pages.list.handler(({ context }) => transact(context, listAllPages)),
  get: admin.pages.get.handler(({ context, input }) => transact(context, (ctx) => viewPage(ctx, input.type))),
  create: admin.pages.create.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => createPage(ctx, by, input)),
  ),
  change: admin.pages.change.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => changePage(ctx, by, ifMatch(context), input)),
  ),
  createPreview: admin.pages.createPreview.handler(({ context, input: { type, at } }) =>
    previewOf(context, { kind: 'page', id: type, at }),
  ),
  move: admin.pages.move.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => movePage(ctx, by, ifMatch(context), input)),
  ),
  delete: admin.pages.delete.handler(async ({ context, input: { type: id } }) => {
    await transactAsOperator(context, (ctx, by) => deleteOne(ctx, 'page', { by, expected: ifMatch(context), id }))
  }),
}

const banners = {
  list: admin.banners.list.handler(({ context }) => transact(context, store.listAllBanners)),
  get: admin.banners.get.handler(({ context, input }) => transact(context, (ctx) => store.viewBanner(ctx, input.id))),
  create: admin.banners.create.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => store.createBanner(ctx, by, input)),
  ),
  change: admin.banners.change.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => store.changeBanner(ctx, by, ifMatch(context), input)),
  ),
  move: admin.banners.move.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => store.moveBanner(ctx, by, ifMatch(context), input)),
  ),
  removePicture: admin.banners.removePicture.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => store.setBannerPicture(ctx, by, { ...input, picture: null })),
  ),
  delete: admin.banners.delete.handler(async ({ context, input: { id } }) => {
    await transactAsOperator(context, (ctx, by) => deleteOne(ctx, 'banner', { by, expected: ifMatch(context), id }))
  }),
}

/** What operators do with content. The module of media sets the pictures of banners. */
export const editingProcedures = {
  notices,
  faq,
  pages,
  banners,
  previewHtml: admin.previewHtml.handler(({ input }) => ({ html: sanitizeHtml(input.html) })),
}
