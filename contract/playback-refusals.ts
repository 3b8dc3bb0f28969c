import * as z from 'zod/mini'
import { playId, sessionId } from './ids.ts'
import { textLanguages } from './translations.ts'

/** The data of 409 STREAM_LIMIT: the member's current plays. `here`: on the device of this request. */
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

/** What 409 DEVICE_LIMIT carries: the devices that count, the latest first. */
export const deviceLimit = z.object({
  limit: z.int(),
  devices: z.array(z.object({ sessionId, device: z.string(), playedAt: z.iso.datetime() })),
})
export type DeviceLimit = z.output<typeof deviceLimit>

/**
 * What 403 NOT_ENTITLED carries where something was to be played: what is missing, or how the right that was there ended last.
 * SUSPENDED while it is decided whether the order is sent back; NONE where there never was one.
 */
export const rightMissing = z.object({
  reason: z.enum(['SIGN_IN', 'SUSPENDED', 'REFUNDED', 'EXPIRED', 'PLAN_ENDED', 'NONE']),
})
export type RightMissing = z.output<typeof rightMissing>
