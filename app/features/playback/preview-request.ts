import * as z from 'zod/mini'
import { productCode, productId, videoId } from '#contract/ids.ts'

/** What the event that opens the preview carries. */
export const previewRequest = z.object({ productId, previewId: videoId, code: productCode, title: z.string() })
export type PreviewRequest = z.output<typeof previewRequest>
