import { queryOptions } from '@tanstack/react-query'
import type { StoreProductBulkPreviewInput } from '#contract/admin/product-bulk.ts'
import type { PlanId, ProductCode } from '#contract/ids.ts'
import type { AdminApi } from '../../platform/admin-api'
import { countQuery } from '../../platform/list-count'
import { pollEvery } from '../../platform/live-changes'
import { listInput } from '../../platform/search'
import type { ProductsSearch } from './products.search'

export const productsQuery = (api: AdminApi, search: ProductsSearch) =>
  queryOptions({ queryKey: ['products', listInput(search)], queryFn: () => api.admin.products.list(listInput(search)) })

/** The products with some codes, at most a page of them. */
export const productsByCodeQuery = (api: AdminApi, codes: readonly ProductCode[]) =>
  queryOptions({
    queryKey: ['products', { codes }],
    queryFn: async () => (codes.length > 0 ? api.admin.products.list({ codes: [...codes], size: 100 }) : { items: [] }),
  })

/** What a change of many products would do. */
export const bulkPreviewQuery = (api: AdminApi, query: StoreProductBulkPreviewInput) =>
  queryOptions({
    queryKey: ['product-preview', query],
    queryFn: ({ signal }) => api.admin.products.previewMany(query, { signal }),
    gcTime: 0,
    retry: false,
  })

/** Loaded again only when something says so: a form with typed text must not change by itself. */
export const productQuery = (api: AdminApi, code: ProductCode) =>
  queryOptions({
    queryKey: ['product', code],
    queryFn: () => api.admin.products.get({ code }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/** Loaded again only when something says so, as a product is. */
export const partsQuery = (api: AdminApi, code: ProductCode) =>
  queryOptions({
    queryKey: ['product-parts', code],
    queryFn: () => api.admin.products.parts({ code }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/** Loaded again only when something says so, as a product is. */
export const categoriesQuery = (api: AdminApi) =>
  queryOptions({
    queryKey: ['categories'],
    queryFn: () => api.admin.categories.list(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/** The imports and exports that are under way, and those that have ended lately. */
export const tableJobsQuery = (api: AdminApi) =>
  queryOptions({
    queryKey: ['table-jobs'],
    queryFn: () => api.admin.tableJobs.list(),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === 'RUNNING') ? pollEvery(2_000) : false,
  })

/** The imports of the last days. */
export const importsQuery = (api: AdminApi) =>
  queryOptions({ queryKey: ['imports'], queryFn: () => api.admin.imports.list() })

export const plansQuery = (api: AdminApi) =>
  queryOptions({ queryKey: ['plans'], queryFn: () => api.admin.plans.list() })

/** Loaded again only when something says so, as a product is. */
export const planQuery = (api: AdminApi, id: PlanId) =>
  queryOptions({
    queryKey: ['plan', id],
    queryFn: () => api.admin.plans.get({ id }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/** The pictures of a product. */
export const picturesQuery = (api: AdminApi, code: ProductCode) =>
  queryOptions({ queryKey: ['product-pictures', code], queryFn: () => api.admin.products.pictures({ code }) })

export const postersQuery = (api: AdminApi, code: ProductCode) =>
  queryOptions({ queryKey: ['posters', code], queryFn: () => api.admin.products.posters({ code }) })

/** Banners, which may lead to products. */
export const bannersQuery = (api: AdminApi) =>
  queryOptions({ queryKey: ['banners'], queryFn: () => api.admin.banners.list() })

export const productsCountQuery = (api: AdminApi, search: ProductsSearch) =>
  countQuery(['products'], listInput(search), (filters) => api.admin.counts.products(filters))
