import { queryOptions } from '@tanstack/react-query'
import type { BannerId, FaqId, NoticeId } from '#contract/ids.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import type { AdminApi } from '../../platform/admin-api'
import { countQuery } from '../../platform/list-count'
import type { NoticesSearch } from './content.search'

/** Loaded again only when something says so: a form with typed text must not change by itself. */
const forForms = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 }

export const noticesQuery = (api: AdminApi, search: NoticesSearch) =>
  queryOptions({ queryKey: ['notices', search], queryFn: () => api.admin.notices.list(withoutUndefined(search)) })

export const noticesCountQuery = (api: AdminApi, search: NoticesSearch) =>
  countQuery(['notices'], withoutUndefined(search), (filters) => api.admin.counts.notices(filters))

export const noticeQuery = (api: AdminApi, id: NoticeId) =>
  queryOptions({ queryKey: ['notice', id], queryFn: () => api.admin.notices.get({ id }), ...forForms })

export const faqListQuery = (api: AdminApi) =>
  queryOptions({ queryKey: ['faq-list'], queryFn: () => api.admin.faq.list() })

export const faqQuery = (api: AdminApi, id: FaqId) =>
  queryOptions({ queryKey: ['faq', id], queryFn: () => api.admin.faq.get({ id }), ...forForms })

export const pagesQuery = (api: AdminApi) =>
  queryOptions({ queryKey: ['site-pages'], queryFn: () => api.admin.pages.list() })

export const pageQuery = (api: AdminApi, type: string) =>
  queryOptions({ queryKey: ['site-page', type], queryFn: () => api.admin.pages.get({ type }), ...forForms })

export const bannerQuery = (api: AdminApi, id: BannerId) =>
  queryOptions({ queryKey: ['banner', id], queryFn: () => api.admin.banners.get({ id }), ...forForms })
