import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useAdminApi } from '../platform/admin-api'
import { useSettled } from '../platform/use-settled'

/** Milliseconds after the last key until the preview is loaded. */
const pause = 300

/** Returns what visitors see of a text: the API removes what pages do not allow. */
export const useHtmlPreview = (html: string): string | undefined => {
  const api = useAdminApi()
  const settled = useSettled(html, pause)
  const preview = useQuery({
    queryKey: ['html-preview', settled],
    queryFn: () => api.admin.previewHtml({ html: settled }),
    enabled: settled !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    placeholderData: keepPreviousData,
  })
  return preview.data?.html
}
