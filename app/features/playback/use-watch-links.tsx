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

/** Whether there is something to play; files are taken from the product's page instead. */
export const isWatchable = ({ durationSeconds, lessonCount }: Pick<ProductCard, 'durationSeconds' | 'lessonCount'>) =>
  durationSeconds !== null || lessonCount > 0

/** The button that leads to what one has a right to: the player, or the page with the files. Spread it into a Button. */
export function useWatchButton(): (product: ProductCard) => WatchButton {
  const { t } = useLingui()
  return (product) => {
    const params = { code: product.code }
    return isWatchable(product)
      ? { icon: 'play', render: <Link to="/products/$code/watch" params={params} />, children: t`Watch now` }
      : { icon: 'download', render: <Link to="/products/$code" params={params} />, children: t`Open` }
  }
}

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
