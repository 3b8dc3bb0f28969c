import type { Picture } from '#contract/picture.ts'
import { sharePictureUrl, shareSize } from '#contract/picture-variants.ts'

/** A tag without content takes the place of one of the same name further up, and is not printed. */
export type HeadTag = Record<string, string | undefined>

/** A picture with its size where it is known, as the picture of a product, or as settings name it. */
export type SharedPicture = Pick<Picture, 'url' | 'alt'> & Partial<Pick<Picture, 'width' | 'height'>>

const types: Record<string, string> = {
  ...{ jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', webp: 'image/webp', avif: 'image/avif' },
  ...{ gif: 'image/gif', svg: 'image/svg+xml' },
}
const typeOf = (url: string) => types[/\.(\w+)(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? '']

/**
 * The tags of the picture that stands for a page where its address is shared. Stored pictures are given as JPEG of one size, which
 * every site can show; pictures elsewhere stay as they are.
 *
 * @param toAbsolute makes a full address of one of this store.
 */
export function shareImageTags(picture: SharedPicture | null, toAbsolute: (url: string) => string): HeadTag[] {
  const stored = picture && sharePictureUrl(picture.url)
  const url = stored ?? picture?.url
  const size = stored ? shareSize : picture
  const address = url && toAbsolute(url)
  const text = (value: number | undefined) => (value ? String(value) : undefined)
  return [
    { property: 'og:image', content: address },
    { property: 'og:image:type', content: url && typeOf(url) },
    { property: 'og:image:width', content: text(size?.width) },
    { property: 'og:image:height', content: text(size?.height) },
    { property: 'og:image:alt', content: picture?.alt || undefined },
    { name: 'twitter:card', content: address ? 'summary_large_image' : 'summary' },
    { name: 'twitter:image', content: address },
    { name: 'twitter:image:alt', content: picture?.alt || undefined },
  ]
}
