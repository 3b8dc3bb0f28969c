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
  /** Links to the player, for titles already started. */
  resume?: boolean
  /** A button on the card. */
  action?: ReactNode
}

/** A product in a list or a rail. */
export function ProductTile(props: ProductTileProps) {
  const { product, shape = 'wide', headingLevel, eager, covered, resume, action } = props
  const { t } = useLingui()
  const format = useFormat()
  const lessonLabels = useLessonLabels()
  const badge = useBadge(product, covered)
  const tall = shape === 'tall' ? product.posterTall : null
  const progress = product.viewer?.progress ?? null
  const percent = format.percent(progress ?? 0)
  const link = resume ? (
    <Link to="/products/$code/watch" params={{ code: product.code }} />
  ) : (
    <Link to="/products/$code" params={{ code: product.code }} />
  )
  return (
    <PosterCard
      render={link}
      picture={tall ?? product.poster}
      shape={tall ? 'tall' : 'wide'}
      title={product.title}
      titleLang={langOf(product, 'title')}
      metaLang={product.lessonCount > 1 ? undefined : langOf(product, 'summary')}
      headingLevel={headingLevel}
      eager={eager}
      playable={resume}
      meta={product.lessonCount > 1 ? lessonLabels.count(product.lessonCount) : product.summary || undefined}
      price={resume ? undefined : <ProductPrice product={product} />}
      badges={resume ? undefined : badge}
      corner={product.durationSeconds && !tall ? format.duration(product.durationSeconds) : undefined}
      action={action}
      watched={progress === null ? undefined : { fraction: progress, label: t`${percent} watched` }}
    />
  )
}
