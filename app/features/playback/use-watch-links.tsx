import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { ProductCard } from '#contract/catalog.ts'
import type { LessonId, ProductCode } from '#contract/ids.ts'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import type { IconName } from '~/ui/icon'

interface WatchButton {
  icon: IconName | undefined
  render: ReactElement
  children: string
}

/** Whether there is something to play. Files are downloaded on the product's page. */
export const isWatchable = ({ durationSeconds, lessonCount }: Pick<ProductCard, 'durationSeconds' | 'lessonCount'>) =>
  durationSeconds !== null || lessonCount > 0

/** Props of a Button that links to the player, or to the page with the files. */
export function useWatchButton(): (product: ProductCard) => WatchButton {
  const { t } = useLingui()
  return (product) => {
    const params = { code: product.code }
    return isWatchable(product)
      ? { icon: 'play', render: <Link to="/products/$code/watch" params={params} />, children: t`Watch now` }
      : { icon: 'download', render: <Link to="/products/$code" params={params} />, children: t`Open` }
  }
}

/**
 * Returns a link to an inquiry about the product, lesson and second; undefined if the store
 * takes none.
 */
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
