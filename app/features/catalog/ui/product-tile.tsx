import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { ProductPrice } from '~/parts/product-price'
import { useFormat } from '~/platform/format/use-format'
import { langOf } from '~/platform/i18n/locales'
import { IconButton } from '~/ui/button'
import { PosterCard, type PosterCardProps } from '~/ui/poster-card'
import type { Tile } from '../tiles'
import { useLessonWords } from '../use-lesson-words'
import { carryPoster } from './poster-transition'
import { ProductBadges } from './product-badges'

interface ProductTileProps {
  product: Tile
  shape?: 'wide' | 'tall'
  /** One below the heading that the list stands under. */
  headingLevel?: PosterCardProps['headingLevel']
  /** In the first view of the page. */
  eager?: boolean
  /** All of the list comes with the asking person's plan: that is not said of each. */
  covered?: boolean | undefined
  /** Leads to watching at once, for what was begun. */
  resume?: boolean
  /** Takes it off the list it stands on. */
  onDismiss?: ((product: Tile) => void) | undefined
}

/** A product in a list or a rail. */
export function ProductTile(props: ProductTileProps) {
  const { product, shape = 'wide', headingLevel, eager, covered, resume, onDismiss } = props
  const { t } = useLingui()
  const format = useFormat()
  const lessonWords = useLessonWords()
  const tall = shape === 'tall' ? product.posterTall : null
  const progress = product.viewer?.progress ?? null
  const percent = format.percent(progress ?? 0)
  const link = resume ? (
    <Link to="/products/$code/watch" params={{ code: product.code }} />
  ) : (
    <Link to="/products/$code" params={{ code: product.code }} state={{ tile: product }} onClick={carryPoster} />
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
      meta={product.lessonCount > 1 ? lessonWords.count(product.lessonCount) : product.summary || undefined}
      price={resume ? undefined : <ProductPrice product={product} />}
      badges={resume ? undefined : <ProductBadges product={product} covered={covered} />}
      corner={product.durationSeconds && !tall ? format.duration(product.durationSeconds) : undefined}
      action={onDismiss && <DismissButton title={product.title} onDismiss={() => onDismiss(product)} />}
      watched={progress === null ? undefined : { part: progress, label: t`${percent} watched` }}
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
