import { queryOptions } from '@tanstack/react-query'
import type { ProductCode, VideoId } from '#contract/ids.ts'
import type { VideoJob } from '#contract/media.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import type { AdminApi } from '../../platform/admin-api'
import { countQuery } from '../../platform/list-count'
import { pollEvery } from '../../platform/live-changes'
import { listInput } from '../../platform/search'
import type { LibrarySearch, VideosSearch } from './videos.search'

/** The videos that can be shown, latest first. */
export const videoLibraryQuery = (api: AdminApi, search: LibrarySearch) =>
  queryOptions({
    queryKey: ['video-library', listInput(search)],
    queryFn: () => api.admin.videos.list(listInput(search)),
  })

export const videoLibraryCountQuery = (api: AdminApi, search: LibrarySearch) =>
  countQuery(['video-library'], listInput(search), (filters) => api.admin.counts.videos(filters))

/** Loaded again only when something says so: an editor with changes must not change by itself. */
export const videoQuery = (api: AdminApi, id: VideoId) =>
  queryOptions({
    queryKey: ['video', id],
    queryFn: () => api.admin.videos.get({ id }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/** Loaded again only when something says so, as a video is. */
export const captionsQuery = (api: AdminApi, id: VideoId, language: string, file?: string) =>
  queryOptions({
    queryKey: ['video', id, 'captions', language, file],
    queryFn: () => api.admin.videos.captions({ id, language, ...(file && { file }) }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

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
