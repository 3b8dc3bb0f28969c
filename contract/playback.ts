import * as z from 'zod/mini'
import { lessonId, playId, productId, sessionId } from './ids.ts'
import { picture } from './picture.ts'
import { textLanguages } from './translations.ts'

/** Starts a playback. Without a lesson: the product's own video, or the lesson that comes next. */
export const playbackStart = z.object({
  id: productId,
  lessonId: z.optional(lessonId),
  /** The person has read that playing begins the fulfillment (and ends the right to send back). Kept as evidence. */
  acceptsFulfillment: z.optional(z.boolean()),
  /** The play this player holds: it goes on when it is of the same video, and makes room when it is not. */
  playId: z.optional(playId),
  /** A play of the member's to end in favour of this one: the answer to STREAM_LIMIT. */
  takeOver: z.optional(playId),
  /** A device of the member's to sign out in favour of this one: the answer to DEVICE_LIMIT. */
  signOut: z.optional(sessionId),
})

/** A part of a film, from its second on. */
export const chapter = z.object({ startSeconds: z.number(), title: z.string(), languages: textLanguages })
export type Chapter = z.output<typeof chapter>

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
  /** Sound tracks by language; the first plays by itself. Empty: the stream has one, of no stated language. */
  audio: z.array(z.object({ language: z.string(), label: z.string() })),
  /** The scrubbing thumbnails: a WebVTT whose cues name parts of pictures (`tiles.webp#xywh=…`). */
  storyboardUrl: z.nullable(z.string()),
  chapters: z.array(chapter),
  /** Where to go on; 0 at the beginning or after the end. */
  resumeSeconds: z.number(),
  /** When that position was saved, on any device; null without one. */
  positionAt: z.nullable(z.iso.datetime()),
  /** What comes after this one, when something does. */
  next: z.nullable(
    z.object({ productId, lessonId: z.nullable(lessonId), title: z.string(), languages: textLanguages }),
  ),
  /** A rental's end once begun. */
  accessUntil: z.nullable(z.iso.datetime()),
  /** Held by this player while it plays; null where nobody counts (guests, and what is free for all). */
  playId: z.nullable(playId),
  /** To be seen in the picture while it plays: whose stream this is. */
  watermark: z.nullable(z.string()),
  /** Of an encrypted stream: where its licences are, by key system (`com.widevine.alpha`). Below `manifestUrl`'s own folder. */
  drm: z.nullable(z.record(z.string(), z.object({ licenceUrl: z.string(), certificateUrl: z.nullable(z.string()) }))),
  languages: textLanguages,
})
export type Playback = z.output<typeof playback>

/** The public preview: the first seconds, a stream of its own. */
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
  /** Seconds really played since the last report, at any speed. */
  playedSeconds: z.number().check(z.gte(0), z.lte(3600)),
  /** The position's own moment: of two devices the later wins. */
  at: z.iso.datetime(),
  /**
   * The moment of the latest position this player knows of; null for none. One kept since, by another device, is answered in
   * `elsewhere` and stays. Without this the report is taken as it is.
   */
  knownAt: z.optional(z.nullable(z.iso.datetime())),
  /** The player's play. Each report extends it. */
  playId: z.optional(playId),
  /** LEFT: paused, ended or closed; another stream may play instead. */
  state: z.optional(z.enum(['PLAYING', 'LEFT'])),
})
export const progressAnswer = z.object({
  positionSeconds: z.number(),
  finished: z.boolean(),
  counted: z.boolean(),
  /** Where another device has gone on since `knownAt`. */
  elsewhere: z.nullable(z.object({ positionSeconds: z.number(), at: z.iso.datetime() })),
  /** How the reported play stands: alive, or why it is over. Null where none was reported. */
  play: z.nullable(z.enum(['LIVE', 'LEFT', 'TAKEN_OVER', 'LAPSED', 'CLOSED'])),
})

/** Takes a product off the continue-watching list, or puts it back. Playing on puts it back as well. */
export const dismissWatchedPut = z.object({ id: productId, dismissed: z.boolean() })
export const dismissWatchedAnswer = z.object({ dismissed: z.boolean() })

/** A short-lived address for one attachment. */
export const attachmentConfirm = z.object({ url: z.string(), name: z.string(), expiresAt: z.iso.datetime() })
