import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import type { ProductCard } from '#contract/catalog.ts'
import { ProductPrice } from '~/parts/product-price'
import { CachedItem } from '~/platform/cached-item'
import { useFormat } from '~/platform/format/use-format'
import { langOf } from '~/platform/i18n/locales'
import { useLessonLabels } from '~/platform/labels'
import { IconButton } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { PosterCard, type PosterCardProps } from '~/ui/poster-card'
import { PosterGrid } from '~/ui/poster-grid'
import type { Tile } from '../products.functions'

/** The view transition name of a product's poster. A list sets it on the chosen card only. */
const posterTransition = 'product-poster'

/**
 * Names the chosen poster for the view transition to the product page. The name is unique, so
 * others lose it.
 */
function namePosterTransition(event: MouseEvent<HTMLElement>): void {
  for (const previous of document.querySelectorAll<HTMLElement>(`[style*='${posterTransition}']`)) {
    previous.style.viewTransitionName = 'none'
  }
  const frame = event.currentTarget.closest('article')?.querySelector('img')?.parentElement
  if (frame) frame.style.viewTransitionName = posterTransition
}

const day = 24 * 60 * 60 * 1000
const newFor = 14 * day
const endingWithin = 7 * day

/** The single most relevant badge of a product for the viewer, if any. */
function ProductBadges({ product, covered }: { product: Tile; covered?: boolean | undefined }) {
  const format = useFormat()
  const { viewer } = product
  if (viewer?.entitled) {
    if (viewer.source === 'RENT') return <RentalBadge startBy={viewer.startBy} expiresAt={viewer.expiresAt} />
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

function RentalBadge({ startBy, expiresAt }: { startBy: string | null; expiresAt: string | null }) {
  const format = useFormat()
  if (!expiresAt && !startBy) return null
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

interface ProductTileProps {
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
  /** Removes it from the list. */
  onDismiss?: ((product: Tile) => void) | undefined
}

/** A product in a list or a rail, as an item of the list. */
export function ProductItem(props: ProductTileProps) {
  const { onDismiss, ...shown } = props
  // What can be dismissed is the viewer's own list.
  return onDismiss ? (
    <li>
      <ProductTile {...props} />
    </li>
  ) : (
    <CachedItem content={shown}>
      <ProductTile {...shown} />
    </CachedItem>
  )
}

function ProductTile(props: ProductTileProps) {
  const { product, shape = 'wide', headingLevel, eager, covered, resume, onDismiss } = props
  const { t } = useLingui()
  const format = useFormat()
  const lessonLabels = useLessonLabels()
  const tall = shape === 'tall' ? product.posterTall : null
  const progress = product.viewer?.progress ?? null
  const percent = format.percent(progress ?? 0)
  const link = resume ? (
    <Link to="/products/$code/watch" params={{ code: product.code }} />
  ) : (
    <Link
      to="/products/$code"
      params={{ code: product.code }}
      state={{ tile: product }}
      onClick={namePosterTransition}
    />
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
      badges={resume ? undefined : <ProductBadges product={product} covered={covered} />}
      corner={product.durationSeconds && !tall ? format.duration(product.durationSeconds) : undefined}
      action={onDismiss && <DismissButton title={product.title} onDismiss={() => onDismiss(product)} />}
      watched={progress === null ? undefined : { fraction: progress, label: t`${percent} watched` }}
    />
  )
}

function DismissButton({ title, onDismiss }: { title: string; onDismiss: () => void }) {
  const { t } = useLingui()
  return (
    <IconButton
      icon="close"
      variant="glass"
      size="s"
      round
      label={t`Remove ${title} from this list`}
      onClick={onDismiss}
    />
  )
}

/** Tall posters, as for films, only where every product of a list has one. */
export const shapeOf = (products: readonly Tile[]) =>
  products.length > 0 && products.every((product) => product.posterTall) ? 'tall' : 'wide'

interface Props {
  products: readonly ProductCard[]
  /** The viewer's plan includes all of them. */
  covered?: boolean | undefined
}

/** Products in as many columns as fit, below the heading of the page. */
export function ProductGrid({ products, covered }: Props) {
  const shape = shapeOf(products)
  return (
    <PosterGrid shape={shape}>
      {products.map((product, at) => (
        <ProductItem
          key={product.id}
          product={product}
          shape={shape}
          headingLevel="h2"
          eager={at < 6}
          covered={covered}
        />
      ))}
    </PosterGrid>
  )
}
