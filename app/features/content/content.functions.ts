import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { noticeId } from '#contract/ids.ts'
import { pagingQuery } from '#contract/paging.ts'
import { call, notFoundStatuses } from '~/platform/api/call'
import { shellFreshness } from '~/platform/constants'
import { checked, readFn } from '~/platform/request/server-fn'
import { type PlacedBanner, placeBanner } from '~/platform/shell/categories'

const getNotices = readFn()
  .validator(checked(pagingQuery))
  .handler(({ data, context }) => context.callApi((api) => api.content.notices(data)))

const getNotice = readFn()
  .validator(checked(z.object({ id: z.pipe(z.string(), noticeId) })))
  .handler(({ data, context }) => context.callApi((api) => api.content.notice(data)))

/** All questions. The list is small and is searched in the browser. */
const getFaq = readFn().handler(({ context }) => context.callApi((api) => api.content.faq({})))

const getSitePage = readFn()
  .validator(checked(z.object({ type: z.string().check(z.regex(/^[a-z0-9-]{1,40}$/)) })))
  .handler(({ data, context }) => context.callApi((api) => api.content.page(data)))

const noticesPerPage = 20
export const noticesQuery = (page: number) =>
  queryOptions({
    queryKey: ['notices', page],
    queryFn: ({ signal }) => call((s) => getNotices({ data: { page, size: noticesPerPage }, signal: s }), { signal }),
  })

export const noticeQuery = (id: string) =>
  queryOptions({
    queryKey: ['notice', id],
    queryFn: ({ signal }) =>
      call((s) => getNotice({ data: { id }, signal: s }), { signal, expected: notFoundStatuses }),
  })

export const faqQuery = queryOptions({
  queryKey: ['faq'],
  queryFn: ({ signal }) => call((s) => getFaq({ signal: s }), { signal }),
  select: ({ items }) => items,
})

export const sitePageQuery = (type: string) =>
  queryOptions({
    queryKey: ['page', type],
    queryFn: ({ signal }) =>
      call((s) => getSitePage({ data: { type }, signal: s }), { signal, expected: notFoundStatuses }),
  })

/** What the strip shows of its banner. */
const toStrip = ({ title, text, label, link, languages }: PlacedBanner) => ({
  title,
  text,
  label,
  link,
  ...(languages && { languages }),
})

/** The content of the layout: the strip above the header, and the pages in the footer. */
const getFrame = readFn().handler(({ context }) =>
  context.requestContext.tenant.shared('frame', async ({ content, catalog }) => {
    const [banners, pages] = await Promise.all([content.banners(), content.pages()])
    const strip = banners.items.find(({ type }) => type === 'HEADER_BANNER')
    const categories = strip?.link?.target === 'CATEGORY' ? (await catalog.categories()).items : []
    return { strip: strip ? toStrip(placeBanner(strip, categories)) : null, pages: pages.items }
  }),
)

/**
 * A page without its strip and its footer links is still a page, so a failure here is not reported.
 */
const anyFailure = [0, 400, 401, 403, 404, 429, 500, 502, 503, 504]

export const frameQuery = queryOptions({
  queryKey: ['frame'],
  queryFn: ({ signal }) => call((s) => getFrame({ signal: s }), { signal, expected: anyFailure }),
  staleTime: shellFreshness * 5,
})

/** Rich text without its tags, as short as a description. */
export const excerpt = (html: string, longest = 160): string => {
  const text = html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return text.length > longest ? `${text.slice(0, longest - 1).trimEnd()}…` : text
}
