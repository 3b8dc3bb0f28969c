import { queryOptions } from '@tanstack/react-query'
import { productCode, type VideoId } from '#contract/ids.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import type { AdminApi } from '../../platform/admin-api'
import { parameter, searchParser, shared } from '../../platform/search'

/** The language whose captions are shown, and the product from which the person came. */
export const parseVideoSearch = searchParser({ captions: shared.text, product: parameter(productCode) })

export const parseLibrarySearch = searchParser({ q: shared.text, cursor: shared.cursor })
export type LibrarySearch = ReturnType<typeof parseLibrarySearch>

/** The videos that can be shown, latest first. */
export const videoLibraryQuery = (api: AdminApi, search: LibrarySearch) =>
  queryOptions({
    queryKey: ['video-library', search],
    queryFn: () => api.admin.videos.list(withoutUndefined(search)),
  })

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
