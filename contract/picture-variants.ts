import type { Picture } from './picture.ts'

/** The widths in pixels in which stored pictures are available. */
const variantWidths = [320, 640, 960, 1280, 1920] as const
/** The size in pixels of the picture for link previews. */
export const shareSize = { width: 1200, height: 630 } as const

const shareName = 'share.jpg'
const variantName = /^(?:(\d+)\.(avif|webp)|share\.jpg)$/

/** A variant of a stored picture: of a listed width, or cropped for sharing (`width` null). */
export interface PictureVariant {
  width: number | null
  format: 'avif' | 'webp' | 'jpg'
}

/**
 * Parses the last segment of a variant's URL, such as `640.avif`. Returns null if it is invalid.
 */
export const readVariantName = (name: string): PictureVariant | null => {
  const match = variantName.exec(name)
  if (!match) return null
  if (name === shareName) return { width: null, format: 'jpg' }
  const width = variantWidths.find((each) => String(each) === match[1])
  return width === undefined ? null : { width, format: match[2] === 'avif' ? 'avif' : 'webp' }
}

/**
 * A stored raster picture. External pictures, drawings and GIFs are used unchanged. Other
 * animations are not resized.
 */
const storedPicture = /^\/media\/(?!variants\/)([^?#]+\.(?:webp|avif|jpe?g|png))(\?[^#]*)?$/

const variantUrl = (url: string, name: string): string | null => {
  const [, key, query = ''] = storedPicture.exec(url) ?? []
  return key ? `/media/variants/${key}/${name}${query}` : null
}

/**
 * Returns the URL of a stored picture as JPEG of `shareSize`; null if the picture is not stored
 * here.
 */
export const sharePictureUrl = (url: string): string | null => variantUrl(url, shareName)

/**
 * The widths of a stored picture in one format, up to its own width. Empty if the picture is not
 * stored here.
 */
export const variantSources = (
  { url, width }: Pick<Picture, 'url' | 'width'>,
  format: 'avif' | 'webp',
): { url: string; width: number }[] => {
  const last = variantWidths.findIndex((each) => each >= width)
  return variantWidths.slice(0, last < 0 ? undefined : last + 1).flatMap((each) => {
    const address = variantUrl(url, `${each}.${format}`)
    return address ? [{ url: address, width: Math.min(each, width) }] : []
  })
}
