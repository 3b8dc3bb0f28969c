import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { LessonId, ProductCode } from '#contract/ids.ts'
import { useSiteSettings } from '~/platform/shell/shell.queries'

/** Leads to an inquiry that knows the title, the lesson and the second already; undefined where the store takes none. */
export function useReportLink(
  product: ProductCode,
  lesson?: LessonId | undefined,
): ((seconds?: number) => ReactElement) | undefined {
  const { useInquiry } = useSiteSettings().order
  if (!useInquiry) return undefined
  return (seconds) => (
    <Link
      to="/mypages/inquiries/input"
      search={{ type: 'PRODUCT', product, ...(lesson && { lesson }), ...(seconds && { t: seconds }) }}
    />
  )
}
