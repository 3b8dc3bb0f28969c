import type { CSSProperties } from 'react'
import { variantSources } from '#contract/picture-variants.ts'
import { classNames } from './element'
import styles from './picture.module.css'

/** A picture with its true size, its widths for srcset and the colour that stands in until it is there. */
export interface PictureSource {
  url: string
  width: number
  height: number
  alt: string
  color: string
  sources: readonly { url: string; width: number }[]
}

export interface PictureProps {
  picture: PictureSource
  /** How wide it is shown, as in `sizes`: "(min-width: 60rem) 25vw, 50vw". */
  sizes: string
  /** In the first view: loaded at once and first. All others wait until they are near. */
  eager?: boolean | undefined
  /** Width to height, such as 16 / 9; the picture's own without it. */
  ratio?: number | undefined
  /** Says nothing because the text beside it already does. */
  decorative?: boolean | undefined
  rounded?: boolean | undefined
  /** Names it for a view transition; unique on the page. */
  transitionName?: string | undefined
  className?: string | undefined
}

/** Takes its room before it arrives, so that nothing moves. */
export function Picture(props: PictureProps) {
  const { picture, sizes, eager, ratio, decorative, rounded = true, transitionName, className } = props
  const style: CSSProperties & Record<`--${string}`, string> = {
    '--picture-color': picture.color,
    aspectRatio: ratio ?? `${picture.width} / ${picture.height}`,
  }
  if (transitionName) style.viewTransitionName = transitionName
  return (
    <span className={classNames(styles.picture, rounded && styles.rounded, className)} style={style}>
      <picture className={styles.sources}>
        <AvifSource picture={picture} sizes={sizes} />
        <img
          className={styles.image}
          src={picture.url}
          {...widthsOf(picture, sizes)}
          width={picture.width}
          height={picture.height}
          alt={decorative ? '' : picture.alt}
          loading={eager ? 'eager' : 'lazy'}
          fetchPriority={eager ? 'high' : undefined}
          decoding={eager ? 'sync' : 'async'}
          draggable={false}
        />
      </picture>
    </span>
  )
}

interface SourceProps {
  picture: PictureSource
  sizes: string
  /** On which screens it is shown, in a `picture` of several. */
  media?: string
}

/** A stored picture as AVIF, for browsers that know it. */
export function AvifSource({ picture, sizes, media }: SourceProps) {
  const sources = variantSources(picture, 'avif')
  return sources.length > 0 && <source type="image/avif" media={media} srcSet={srcSetOf(sources)} sizes={sizes} />
}

const srcSetOf = (sources: PictureSource['sources']) => sources.map(({ url, width }) => `${url} ${width}w`).join(', ')

/**
 * The widths of a picture: its own, or those in which the store gives it. A picture of one width has neither `srcset` nor `sizes`.
 */
export function widthsOf(picture: PictureSource, sizes: string): { srcSet?: string; sizes?: string } {
  const sources = picture.sources.length > 1 ? picture.sources : variantSources(picture, 'webp')
  return sources.length > 1 ? { srcSet: srcSetOf(sources), sizes } : {}
}
