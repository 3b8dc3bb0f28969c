import * as z from 'zod/mini'

/**
 * A picture with its size, which prevents layout shifts while it loads. `sources` lists widths for
 * srcset.
 */
export const picture = z.object({
  url: z.string(),
  width: z.int(),
  height: z.int(),
  alt: z.string(),
  /** The dominant colour, shown while the picture loads. */
  color: z.string(),
  sources: z.array(z.object({ url: z.string(), width: z.int() })),
})
export type Picture = z.output<typeof picture>

/** Whether a poster has only a colour, until the product has a picture. */
export const isPlainPicture = ({ url }: Pick<Picture, 'url'>): boolean => /\/plain-[0-9a-f]{6}\.webp$/.test(url)

/** The maximum size of a picture that operators upload. Bytes. */
export const largestPicture = 10_000_000
