import { readFn } from '~/platform/api/server-fn'

/** What the tenant puts around every page: the strip above the header, and the pages the footer leads to. */
export const getFrame = readFn().handler(({ context }) =>
  context.requestContext.tenant.shared('frame', async ({ content }) => {
    const [banners, pages] = await Promise.all([content.banners(), content.pages()])
    return { strip: banners.items.find(({ type }) => type === 'HEADER_BANNER') ?? null, pages: pages.items }
  }),
)
