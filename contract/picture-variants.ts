import type { Picture } from './picture.ts'

/** The widths in pixels in which pages may ask for a stored picture. */
const variantWidths = [320, 640, 960, 1280, 1920] as const
/** The size in pixels of the picture that stands for a page where its address is shared. */
export const shareSize = { width: 1200, height: 630 } as const

const shareName = 'share.jpg'
const variantName = /^(?:(\d+)\.(avif|webp)|share\.jpg)$/

/** One picture made from a stored one: of a listed width, or cropped for sharing (`width` null). */
export interface PictureVariant {
  width: number | null
  format: 'avif' | 'webp' | 'jpg'
}

/** Reads the last part of a variant's address, such as `640.avif`. Null where it names none. */
export const readVariantName = (name: string): PictureVariant | null => {
  const found = variantName.exec(name)
  if (!found) return null
  if (name === shareName) return { width: null, format: 'jpg' }
  const width = variantWidths.find((each) => String(each) === found[1])
  return width === undefined ? null : { width, format: found[2] === 'avif' ? 'avif' : 'webp' }
}

/** A stored picture of pixels. Pictures elsewhere, drawings and GIFs are shown as they are; other animations are not resized. */
const storedPicture = /^\/media\/(?!variants\/)([^?#]+\.(?:webp|avif|jpe?g|png))(\?[^#]*)?$/

const variantUrl = (url: string, name: string): string | null => {
  const [, key, query = ''] = storedPicture.exec(url) ?? []
  return key ? `/media/variants/${key}/${name}${query}` : null
}

/** The address of a stored picture as JPEG of `shareSize`. Null where the picture is not stored here. */
export const sharePictureUrl = (url: string): string | null => variantUrl(url, shareName)

/**
 * The widths of a stored picture in one format, up to its own width. Empty where the picture is not stored here.
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
