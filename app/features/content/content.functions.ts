import * as z from 'zod/mini'
import { noticeId } from '#contract/ids.ts'
import { pagingQuery } from '#contract/paging.ts'
import { checked, readFn } from '~/platform/api/server-fn'

export const getNotices = readFn()
  .validator(checked(pagingQuery))
  .handler(({ data, context }) => context.ask((api) => api.content.notices(data)))

export const getNotice = readFn()
  .validator(checked(z.object({ id: noticeId })))
  .handler(({ data, context }) => context.ask((api) => api.content.notice(data)))

/** All questions: the list is small and is searched in place. */
export const getFaq = readFn().handler(({ context }) => context.ask((api) => api.content.faq({})))

export const getSitePage = readFn()
  .validator(checked(z.object({ type: z.string().check(z.regex(/^[a-z0-9-]{1,40}$/)) })))
  .handler(({ data, context }) => context.ask((api) => api.content.page(data)))
