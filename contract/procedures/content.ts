import * as z from 'zod/mini'
import { banner, faqEntry, faqQuery, notice, noticePage, sitePage, sitePageLink } from '../content.ts'
import { noticeId } from '../ids.ts'
import { pagingQuery } from '../paging.ts'
import { procedure } from './procedure.ts'

const tag = 'Content'

export const contentProcedures = {
  banners: procedure('public', 'GET', '/banners', {
    tag,
    summary: 'List banners',
    description: 'Returns the banners that are in their period, in order.',
  }).output(z.object({ items: z.array(banner) })),
  notices: procedure('public', 'GET', '/notices', {
    tag,
    summary: 'List notices',
    description: 'Returns pinned notices first.',
  })
    .input(pagingQuery)
    .output(noticePage),
  notice: procedure('public', 'GET', '/notices/{id}', { tag, summary: 'Retrieve a notice' })
    .input(z.object({ id: noticeId }))
    .output(notice),
  faq: procedure('public', 'GET', '/faq', { tag, summary: 'List frequently asked questions' })
    .input(faqQuery)
    .output(z.object({ items: z.array(faqEntry) })),
  pages: procedure('public', 'GET', '/pages', { tag, summary: 'List pages' }).output(
    z.object({ items: z.array(sitePageLink) }),
  ),
  page: procedure('public', 'GET', '/pages/{type}', {
    tag,
    summary: 'Retrieve a page',
    description: '`type` is `terms`, `privacy`, `refund`, `about` or the type of another page.',
  })
    .input(z.object({ type: z.string().check(z.regex(/^[a-z0-9-]{1,40}$/)) }))
    .output(sitePage),
}
