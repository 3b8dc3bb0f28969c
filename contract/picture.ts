import * as z from 'zod/mini'

/** A picture with its true size, so that nothing moves when it arrives. `sources` lists widths for srcset. */
export const picture = z.object({
  url: z.string(),
  width: z.int(),
  height: z.int(),
  alt: z.string(),
  /** Dominant colour, shown until the picture is there. */
  color: z.string(),
  sources: z.array(z.object({ url: z.string(), width: z.int() })),
})
export type Picture = z.output<typeof picture>
