import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ProductPrice } from '~/parts/product-price'
import { useLessonLabels } from '~/parts/use-lesson-labels'
import { dayMilliseconds } from '~/platform/constants'
import { useFormat } from '~/platform/format/use-format'
import { langOf } from '~/platform/i18n/locales'
import { Badge } from '~/ui/chip'
import { PosterCard, type PosterCardProps } from '~/ui/poster-card'
import type { ResumeTile } from '../home.functions'
import type { Tile } from '../products.functions'

const newFor = 14 * dayMilliseconds
const endingWithin = 7 * dayMilliseconds

/** The single most relevant badge of a product for the viewer; null for none. */
function useBadge(product: Tile, covered: boolean | undefined): ReactNode {
  const format = useFormat()
  const { viewer } = product
  if (viewer?.entitled) {
    if (viewer.source === 'RENT')
      return (
        (viewer.expiresAt || viewer.startBy) && <RentalBadge expiresAt={viewer.expiresAt} startBy={viewer.startBy} />
      )
    if (viewer.source === 'PLAN' && !covered) {
      return (
        <Badge tone="accent" icon="check">
          <Trans>In your plan</Trans>
        </Badge>
      )
    }
    if (viewer.source === 'OWN' || viewer.source === 'GRANT') {
      return (
        <Badge tone="accent" icon="check">
          <Trans>Owned</Trans>
        </Badge>
      )
    }
  }
  const now = Date.now()
  if (product.saleTo && Date.parse(product.saleTo) - now < endingWithin) {
    return (
      <Badge tone="glass" icon="clock">
        <Trans>Available until {format.date(product.saleTo)}</Trans>
      </Badge>
    )
  }
  if (now - Date.parse(product.createdAt) < newFor) {
    return (
      <Badge tone="glass">
        <Trans>New</Trans>
      </Badge>
    )
  }
  return null
}

function RentalBadge({ expiresAt, startBy }: { expiresAt: string | null; startBy: string | null }) {
  const format = useFormat()
  return (
    <Badge tone="accent" icon="clock">
      {expiresAt ? (
        <Trans>Rented until {format.date(expiresAt)}</Trans>
      ) : (
        <Trans>Start by {format.date(startBy ?? '')}</Trans>
      )}
    </Badge>
  )
}

export interface ProductTileProps {
  product: Tile
  shape?: 'wide' | 'tall'
  /** One level below the heading of the list. */
  headingLevel?: PosterCardProps['headingLevel']
  /** In the first view of the page. */
  eager?: boolean
  /** The viewer's plan includes the whole list, so tiles omit the badge. */
  covered?: boolean | undefined
}

/** What all cards of products show, for `PosterCard`. */
function useCardTexts(product: ResumeTile) {
  const { t } = useLingui()
  const format = useFormat()
  const lessonLabels = useLessonLabels()
  const progress = product.viewer?.progress ?? null
  const percent = format.percent(progress ?? 0)
  const isSeries = product.lessonCount > 1
  return {
    title: product.title,
    titleLang: langOf(product, 'title'),
    meta: isSeries ? lessonLabels.count(product.lessonCount) : product.summary || undefined,
    metaLang: isSeries ? undefined : langOf(product, 'summary'),
    duration: product.durationSeconds ? format.duration(product.durationSeconds) : undefined,
    watched: progress === null ? undefined : { fraction: progress, label: t`${percent} watched` },
  }
}

/** A product in a list or a rail. */
export function ProductTile({ product, shape = 'wide', headingLevel, eager, covered }: ProductTileProps) {
  const { duration, ...texts } = useCardTexts(product)
  const badge = useBadge(product, covered)
  const tall = shape === 'tall' ? product.posterTall : null
  return (
    <PosterCard
      {...texts}
      render={<Link to="/products/$code" params={{ code: product.code }} />}
      picture={tall ?? product.poster}
      shape={tall ? 'tall' : 'wide'}
      headingLevel={headingLevel}
      eager={eager}
      price={<ProductPrice product={product} />}
      badges={badge}
      corner={tall ? undefined : duration}
    />
  )
}

/** A title that the viewer has started. It leads to the player, with a button on the card. */
export function ResumeCard({ product, action }: { product: ResumeTile; action: ReactNode }) {
  const { duration, ...texts } = useCardTexts(product)
  return (
    <PosterCard
      {...texts}
      render={<Link to="/products/$code/watch" params={{ code: product.code }} />}
      picture={product.poster}
      playable
      corner={duration}
      action={action}
    />
  )
}
