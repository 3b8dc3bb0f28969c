import * as z from 'zod/mini'
import { lessonId, productId } from './ids.ts'
import { picture } from './picture.ts'

/** Starts a playback. Without a lesson: the product's own video, or the lesson that comes next. */
export const playbackStart = z.object({
  id: productId,
  lessonId: z.optional(lessonId),
  /** The person has read that playing begins the provision (and ends the right to send back). Kept as evidence. */
  acceptsProvision: z.optional(z.boolean()),
})

/** A stream one may play now. `manifestUrl` is bound to tenant, member, product and minutes; ask again before `expiresAt`. */
export const playback = z.object({
  productId,
  lessonId: z.nullable(lessonId),
  title: z.string(),
  manifestUrl: z.string(),
  expiresAt: z.iso.datetime(),
  durationSeconds: z.number(),
  poster: picture,
  captions: z.array(z.object({ language: z.string(), label: z.string(), url: z.string() })),
  chapters: z.array(z.object({ startSeconds: z.number(), title: z.string() })),
  /** Where to go on; 0 at the beginning or after the end. */
  resumeSeconds: z.number(),
  /** What comes after this one, when something does. */
  next: z.nullable(z.object({ productId, lessonId: z.nullable(lessonId), title: z.string() })),
  /** A rental's end once begun. */
  accessUntil: z.nullable(z.iso.datetime()),
})
export type Playback = z.output<typeof playback>

/** The public preview: the first seconds, a stream of its own. */
export const preview = z.object({
  title: z.string(),
  manifestUrl: z.string(),
  durationSeconds: z.number(),
  poster: picture,
  captions: z.array(z.object({ language: z.string(), label: z.string(), url: z.string() })),
})
export type Preview = z.output<typeof preview>

export const progressPut = z.object({
  id: productId,
  lessonId: z.optional(lessonId),
  positionSeconds: z.number().check(z.gte(0), z.lte(1_000_000)),
  /** Seconds really played since the last report, at any speed. */
  playedSeconds: z.number().check(z.gte(0), z.lte(3600)),
  /** The position's own moment: of two devices the later wins. */
  at: z.iso.datetime(),
})
export const progressAnswer = z.object({ positionSeconds: z.number(), finished: z.boolean(), counted: z.boolean() })

/** A short-lived address for one attachment. */
export const attachmentConfirm = z.object({ url: z.string(), name: z.string(), expiresAt: z.iso.datetime() })
