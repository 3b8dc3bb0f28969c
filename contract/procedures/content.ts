import * as z from 'zod/mini'
import { banner, faqEntry, faqQuery, notice, noticePage, sitePage, sitePageLink } from '../content.ts'
import { noticeId } from '../ids.ts'
import { pagingQuery } from '../paging.ts'
import { procedure } from './procedure.ts'

const tag = 'Content'

export const contentProcedures = {
  banners: procedure('public', 'GET', '/banners', { tag, summary: 'All banners within their period, in order' }).output(
    z.object({ items: z.array(banner) }),
  ),
  notices: procedure('public', 'GET', '/notices', { tag, summary: 'Notices, pinned first' })
    .input(pagingQuery)
    .output(noticePage),
  notice: procedure('public', 'GET', '/notices/{id}', { tag, summary: 'One notice' })
    .input(z.object({ id: noticeId }))
    .output(notice),
  faq: procedure('public', 'GET', '/faq', { tag, summary: 'Questions and answers, in groups' })
    .input(faqQuery)
    .output(z.object({ items: z.array(faqEntry) })),
  pages: procedure('public', 'GET', '/pages', { tag, summary: 'Which pages the tenant has' }).output(
    z.object({ items: z.array(sitePageLink) }),
  ),
  page: procedure('public', 'GET', '/pages/{type}', { tag, summary: 'One page: terms, privacy, refund, about, …' })
    .input(z.object({ type: z.string().check(z.regex(/^[a-z0-9-]{1,40}$/)) }))
    .output(sitePage),
}
