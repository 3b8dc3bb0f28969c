import * as z from 'zod/mini'
import { lessonId, playId, productId, sessionId } from './ids.ts'
import { picture } from './picture.ts'
import { textLanguages } from './translations.ts'

/** Starts a playback. Without a lesson: the product's own video, or the next lesson. */
export const playbackStart = z.object({
  id: productId,
  lessonId: z.optional(lessonId),
  /**
   * The member accepts that playing begins the fulfillment and ends the right to a refund. Stored
   * as evidence.
   */
  acceptsFulfillment: z.optional(z.boolean()),
  /**
   * The current play of this player. It continues for the same video, and is replaced for another
   * one.
   */
  playId: z.optional(playId),
  /** Another play of the member to end, in reply to STREAM_LIMIT. */
  takeOver: z.optional(playId),
  /** A device of the member to sign out, in reply to DEVICE_LIMIT. */
  signOut: z.optional(sessionId),
})

/** A chapter of a film, with its start. */
export const chapter = z.object({ startSeconds: z.number(), title: z.string(), languages: textLanguages })
export type Chapter = z.output<typeof chapter>

/**
 * The licence URLs of an encrypted stream by key system (`com.widevine.alpha`), below the folder of
 * its `manifestUrl`. Null for a stream in the clear.
 */
export const streamLicences = z.nullable(
  z.record(z.string(), z.object({ licenceUrl: z.string(), certificateUrl: z.nullable(z.string()) })),
)

/**
 * A playable stream. `manifestUrl` is bound to tenant, member and product, and expires. Request it
 * again before `expiresAt`.
 */
export const playback = z.object({
  productId,
  lessonId: z.nullable(lessonId),
  title: z.string(),
  manifestUrl: z.string(),
  expiresAt: z.iso.datetime(),
  durationSeconds: z.number(),
  poster: picture,
  captions: z.array(z.object({ language: z.string(), label: z.string(), url: z.string() })),
  /** Audio tracks by language, the default first. Empty for one track of unknown language. */
  audio: z.array(z.object({ language: z.string(), label: z.string() })),
  /** Thumbnails for seeking: a WebVTT whose cues name parts of pictures (`tiles.webp#xywh=…`). */
  storyboardUrl: z.nullable(z.string()),
  chapters: z.array(chapter),
  /** The position to resume at; 0 at the start or after the end. */
  resumeSeconds: z.number(),
  /** When that position was saved, on any device; null without one. */
  positionAt: z.nullable(z.iso.datetime()),
  /** The next video, where there is one. */
  next: z.nullable(
    z.object({ productId, lessonId: z.nullable(lessonId), title: z.string(), languages: textLanguages }),
  ),
  /** The end of a rental that has started. */
  accessUntil: z.nullable(z.iso.datetime()),
  /**
   * The id of this play; null if plays are not limited (guests, and videos that are free for
   * everyone).
   */
  playId: z.nullable(playId),
  /** A text over the picture that identifies the member. */
  watermark: z.nullable(z.string()),
  drm: streamLicences,
  languages: textLanguages,
})
export type Playback = z.output<typeof playback>

/** The public preview: a separate stream of the first seconds. */
export const preview = z.object({
  title: z.string(),
  manifestUrl: z.string(),
  durationSeconds: z.number(),
  poster: picture,
  captions: z.array(z.object({ language: z.string(), label: z.string(), url: z.string() })),
  languages: textLanguages,
})
export type Preview = z.output<typeof preview>

export const progressPut = z.object({
  id: productId,
  lessonId: z.optional(lessonId),
  positionSeconds: z.number().check(z.gte(0), z.lte(1_000_000)),
  /** Seconds of real time played since the last report, at any speed. */
  playedSeconds: z.number().check(z.gte(0), z.lte(3600)),
  /** The time of the position. Of two devices the later one wins. */
  at: z.iso.datetime(),
  /**
   * The time of the latest position that this player knows; null for none. A newer position of
   * another device is kept and returned in `elsewhere`. Without this field the report is always
   * saved.
   */
  knownAt: z.optional(z.nullable(z.iso.datetime())),
  /** The current play. Each report extends it. */
  playId: z.optional(playId),
  /** LEFT: paused, ended or closed, so that another stream may play. */
  state: z.optional(z.enum(['PLAYING', 'LEFT'])),
})
export const progressAnswer = z.object({
  positionSeconds: z.number(),
  finished: z.boolean(),
  counted: z.boolean(),
  /** The position of another device since `knownAt`. */
  elsewhere: z.nullable(z.object({ positionSeconds: z.number(), at: z.iso.datetime() })),
  /** The state of the reported play. Null if none was reported. */
  play: z.nullable(z.enum(['LIVE', 'LEFT', 'TAKEN_OVER', 'LAPSED', 'CLOSED'])),
})

/** Removes a product from the continue-watching list, or restores it. Playing also restores it. */
export const dismissWatchedPut = z.object({ id: productId, dismissed: z.boolean() })
export const dismissWatchedAnswer = z.object({ dismissed: z.boolean() })

/** A short-lived URL of one attachment. */
export const attachmentConfirm = z.object({ url: z.string(), name: z.string(), expiresAt: z.iso.datetime() })
