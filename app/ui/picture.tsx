import type { CSSProperties, Ref } from 'react'
import { variantSources } from '#contract/picture-variants.ts'
import { classNames } from './element'
import styles from './picture.module.css'

/** A picture with its size, its srcset widths and its placeholder colour. */
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
  /** The `sizes` attribute: "(min-width: 60rem) 25vw, 50vw". */
  sizes: string
  /** Never wide on a page: offers fewer widths, and one alone to browsers without AVIF. */
  small?: boolean | undefined
  /** Loads at once with high priority, for the first view. Others load lazily. */
  eager?: boolean | undefined
  /** Aspect ratio; by default the picture's own. Null: what style sheets say, which is 16 / 9. */
  ratio?: number | null | undefined
  /** Empty `alt`, because the text beside it says the same. */
  decorative?: boolean | undefined
  rounded?: boolean | undefined
  /** The `ref` of the frame. */
  frameRef?: Ref<HTMLSpanElement> | undefined
  className?: string | undefined
}

const frameStyle = (
  color: string,
  aspectRatio: string | number | undefined,
): CSSProperties & Record<`--${string}`, string> => ({ '--picture-color': shortColor(color), aspectRatio })

/** A placeholder's colour with a digit for each channel. Pages have dozens of them. */
const shortColor = (color: string) => color.replace(/^#(.).(.).(.).$/, '#$1$2$3')

/** Reserves its space before it loads, so that the layout does not shift. */
export function Picture(props: PictureProps) {
  const { picture, sizes, small, eager, ratio, decorative, rounded = true, frameRef, className } = props
  return (
    <span
      ref={frameRef}
      className={classNames(styles.picture, rounded && styles.rounded, className)}
      style={frameStyle(
        picture.color,
        ratio === undefined ? `${picture.width} / ${picture.height}` : (ratio ?? undefined),
      )}
    >
      <picture>
        <AvifSource picture={picture} sizes={sizes} small={small} />
        <img
          {...(small ? singleWidth(picture, sizes, onlySmall) : { src: picture.url, ...widthsOf(picture, sizes) })}
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

interface PictureFrameProps {
  /** HTML of a `<picture>` of the page. */
  html: string
  /** The colour behind the picture. */
  color: string
  ratio: number
  frameRef?: Ref<HTMLSpanElement>
}

/** Shows a picture that is already on the page. */
export function PictureFrame({ html, color, ratio, frameRef }: PictureFrameProps) {
  return (
    <span
      ref={frameRef}
      className={classNames(styles.picture, styles.rounded)}
      style={frameStyle(color, ratio)}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the page shows this HTML already.
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}

interface SourceProps {
  picture: PictureSource
  sizes: string
  /** The media query, in a `picture` with several sources. */
  media?: string
  small?: boolean | undefined
  /** The width in pixels below which the picture is never shown, on any screen. */
  from?: number
}

/** The width in pixels of a small picture: what cards of phones and of dense screens need. */
const largestSmall = 960
/** For browsers without AVIF. */
const onlySmall = 640

/** The AVIF source of a stored picture. */
export function AvifSource({ picture, sizes, media, small, from = 0 }: SourceProps) {
  const sources = variantSources(picture, 'avif').filter(
    ({ width }, at, all) => (!small || width <= largestSmall) && (width >= from || at === all.length - 1),
  )
  return sources.length > 0 && <source type="image/avif" media={media} srcSet={srcSetOf(sources)} sizes={sizes} />
}

const srcSetOf = (sources: PictureSource['sources']) => sources.map(({ url, width }) => `${url} ${width}w`).join(', ')

/** A picture's own sources, or the store's variants. */
const sourcesOf = (picture: PictureSource) =>
  picture.sources.length > 1 ? picture.sources : variantSources(picture, 'webp')

/**
 * The srcset widths of a picture. A picture with one width has neither `srcset` nor `sizes`.
 */
function widthsOf(picture: PictureSource, sizes: string): { srcSet?: string; sizes?: string } {
  const sources = sourcesOf(picture)
  return sources.length > 1 ? { srcSet: srcSetOf(sources), sizes } : {}
}

/** One width, at least `enough`, of a picture that is stored here: it has an AVIF source too. */
export function singleWidth(
  picture: PictureSource,
  sizes: string,
  enough: number,
): { src: string; srcSet?: string; sizes?: string } {
  if (variantSources(picture, 'avif').length === 0) return { src: picture.url, ...widthsOf(picture, sizes) }
  return { src: sourcesOf(picture).find(({ width }) => width >= enough)?.url ?? picture.url }
}
