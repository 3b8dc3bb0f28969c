import { queryOptions } from '@tanstack/react-query'
import type { StoreProductBulkPreviewQuery } from '#contract/admin/product-bulk.ts'
import { saleState, videoJobStatus } from '#contract/enumerations.ts'
import type { PlanId, ProductCode } from '#contract/ids.ts'
import type { VideoJob } from '#contract/media.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import type { AdminApi } from '../../platform/admin-api'
import { pollEvery } from '../../platform/live-changes'
import { listInput, parameter, searchParser, shared } from '../../platform/search'

export const parseProductsSearch = searchParser({
  q: shared.text,
  state: parameter(saleState),
  cursor: shared.cursor,
  columns: shared.columns,
})
export type ProductsSearch = ReturnType<typeof parseProductsSearch>

export const parseVideosSearch = searchParser({ status: parameter(videoJobStatus) })
export type VideosSearch = ReturnType<typeof parseVideosSearch>

export const productsQuery = (api: AdminApi, search: ProductsSearch) =>
  queryOptions({ queryKey: ['products', listInput(search)], queryFn: () => api.admin.products.list(listInput(search)) })

/** The products with some codes, at most a page of them. */
export const productsByCodeQuery = (api: AdminApi, codes: readonly ProductCode[]) =>
  queryOptions({
    queryKey: ['products', { codes }],
    queryFn: async () => (codes.length > 0 ? api.admin.products.list({ codes: [...codes], size: 100 }) : { items: [] }),
  })

/** What a change of many products would do. */
export const bulkPreviewQuery = (api: AdminApi, query: StoreProductBulkPreviewQuery) =>
  queryOptions({
    queryKey: ['product-preview', query],
    queryFn: () => api.admin.products.previewMany(query),
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

export const postersQuery = (api: AdminApi, code: ProductCode) =>
  queryOptions({ queryKey: ['posters', code], queryFn: () => api.admin.products.posters({ code }) })

/** Whether a video is still to be encoded. */
export const isUnderWay = ({ status }: Pick<VideoJob, 'status'>) => status === 'QUEUED' || status === 'RUNNING'

/** Video jobs are asked for often while one is under way, unless the API tells of changes. */
const refetchInterval = ({ state }: { state: { data: { items: readonly VideoJob[] } | undefined } }) =>
  state.data?.items.some(isUnderWay) ? pollEvery(2_000) : false

/** The latest video jobs of a product, as many as a course has lessons. */
export const videoJobsQuery = (api: AdminApi, product: ProductCode) =>
  queryOptions({
    queryKey: ['video-jobs', product],
    queryFn: () => api.media.videoJobs({ product, size: 100 }),
    refetchInterval,
  })

/** The latest video jobs of all products. */
export const allVideoJobsQuery = (api: AdminApi, search: VideosSearch) =>
  queryOptions({
    queryKey: ['video-jobs', 'all', search],
    queryFn: () => api.media.videoJobs({ ...withoutUndefined(search), size: 100 }),
    refetchInterval,
  })

/** The latest video jobs, of which staff are told when they end. */
export const latestVideoJobsQuery = (api: AdminApi) =>
  queryOptions({
    queryKey: ['video-jobs', 'latest'],
    queryFn: () => api.media.videoJobs({ size: 20 }),
    refetchInterval,
  })
