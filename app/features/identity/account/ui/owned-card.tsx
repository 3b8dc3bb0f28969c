import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { ProductCard, ViewerState } from '#contract/catalog.ts'
import { isWatchable, useWatchButton } from '~/features/playback/use-watch-links'
import { useLessonLabels } from '~/parts/use-lesson-labels'
import { dayMilliseconds } from '~/platform/constants'
import { useFormat } from '~/platform/format/use-format'
import { langOf } from '~/platform/i18n/locales'
import { Badge } from '~/ui/chip'
import { PosterCard, type PosterCardProps } from '~/ui/poster-card'

/** Whole days from a time until a right ends; 0 on its last day. */
const daysBetween = (now: string, end: string): number =>
  Math.max(0, Math.floor((Date.parse(end) - Date.parse(now)) / dayMilliseconds))

interface OwnedCardProps {
  product: ProductCard
  /** The store's time when it answered. The browser's clock may differ. */
  now: string
  action?: ReactNode
  headingLevel?: PosterCardProps['headingLevel']
}

/** A product the member may watch: progress and how long access lasts. Links to the player. */
export function OwnedCard({ product, now, action, headingLevel }: OwnedCardProps) {
  const opening = useWatchButton()
  const { t } = useLingui()
  const format = useFormat()
  const progress = product.viewer?.progress ?? null
  const part = format.percent(progress ?? 0)
  return (
    <PosterCard
      render={opening(product).render}
      picture={product.poster}
      title={product.title}
      titleLang={langOf(product, 'title')}
      headingLevel={headingLevel}
      playable={isWatchable(product)}
      badges={product.viewer && <AccessBadge viewer={product.viewer} />}
      corner={product.durationSeconds ? format.duration(product.durationSeconds) : undefined}
      meta={product.viewer ? <AccessSummary viewer={product.viewer} product={product} now={now} /> : undefined}
      action={action}
      watched={progress === null ? undefined : { fraction: progress, label: t`${part} watched` }}
    />
  )
}

/** A badge for access that ends. Titles owned for good have none. */
function AccessBadge({ viewer }: { viewer: ViewerState }) {
  switch (viewer.source) {
    case 'RENT':
      return (
        <Badge tone="glass" icon="clock">
          <Trans>Rented</Trans>
        </Badge>
      )
    case 'PLAN':
      return (
        <Badge tone="glass" icon="check">
          <Trans>In your plan</Trans>
        </Badge>
      )
    default:
      return null
  }
}

function AccessSummary({ viewer, product, now }: Pick<OwnedCardProps, 'product' | 'now'> & { viewer: ViewerState }) {
  const lessonLabels = useLessonLabels()
  const format = useFormat()
  const lessons = product.lessonCount
  if (!product.ready) return <Trans>Not ready yet</Trans>
  if (viewer.expiresAt) {
    const days = daysBetween(now, viewer.expiresAt)
    return days > 0 ? (
      <Plural value={days} one="# day left" other="# days left" />
    ) : (
      <Trans>Ends today, {format.dateTime(viewer.expiresAt)}</Trans>
    )
  }
  if (viewer.startBy) return <Trans>Start by {format.date(viewer.startBy)}</Trans>
  if (lessons > 1) return lessonLabels.count(lessons)
  if (viewer.source === 'OWN' || viewer.source === 'GRANT') return <Trans>Yours to keep</Trans>
  return viewer.source === 'PLAN' ? <Trans>While your plan is active</Trans> : <Trans>Free to watch</Trans>
}
