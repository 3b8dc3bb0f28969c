import * as z from 'zod/mini'
import { playId, sessionId } from './ids.ts'
import { textLanguages } from './translations.ts'

/**
 * The data of 409 STREAM_LIMIT: the member's current plays. `here`: on the device of this request.
 */
export const streamLimit = z.object({
  limit: z.int(),
  plays: z.array(
    z.object({
      id: playId,
      device: z.string(),
      title: z.string(),
      since: z.iso.datetime(),
      here: z.boolean(),
      languages: textLanguages,
    }),
  ),
})
export type StreamLimit = z.output<typeof streamLimit>

/** The data of 409 DEVICE_LIMIT: the counted devices, latest first. */
export const deviceLimit = z.object({
  limit: z.int(),
  devices: z.array(z.object({ sessionId, device: z.string(), playedAt: z.iso.datetime() })),
})
export type DeviceLimit = z.output<typeof deviceLimit>

/**
 * The data of 403 NOT_ENTITLED for a playback: the missing right, or how the last right ended.
 * SUSPENDED: a refund is being decided. NONE: there never was a right.
 */
export const rightMissing = z.object({
  reason: z.enum(['SIGN_IN', 'SUSPENDED', 'REFUNDED', 'EXPIRED', 'PLAN_ENDED', 'PLAN_PAUSED', 'NONE']),
})
export type RightMissing = z.output<typeof rightMissing>
