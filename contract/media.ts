import * as z from 'zod/mini'
import { videoJobStatus } from './enumerations.ts'
import { lessonId, productCode, uploadId, videoId, videoJobId } from './ids.ts'
import { page, pageOf, size } from './paging.ts'
import { cleaned } from './text.ts'

/** The maximum number of poster candidates of a film. A short film has fewer. */
export const maxPosters = 5

const videoJobStep = z.enum(['PROBE', 'ENCODE', 'PACKAGE', 'STORE'])
export type VideoJobStep = z.output<typeof videoJobStep>

/** A job that turns an operator's file into a stream. */
export const videoJob = z.object({
  id: videoJobId,
  /** Null for a video of the library, which nothing shows yet. */
  productCode: z.nullable(z.string()),
  productTitle: z.nullable(z.string()),
  /** The number of the product's lesson, from 1; null for the product's own video. */
  lesson: z.nullable(z.int()),
  /** What it has become; null until it is ready. It may have been replaced since. */
  videoId: z.nullable(videoId),
  file: z.object({ name: z.string(), bytes: z.int() }),
  status: videoJobStatus,
  /** While it runs. */
  step: z.nullable(videoJobStep),
  percent: z.number(),
  /** Null while it is unknown. */
  secondsLeft: z.nullable(z.int()),
  /**
   * Why the job failed, was cancelled, is retried, or is incomplete: a code and a sentence for a
   * person.
   */
  why: z.nullable(z.object({ code: z.string(), sentence: z.string() })),
  /** Whether it has ended and its file is still stored. A rejected file must be uploaded again. */
  canRetry: z.boolean(),
  /** Who gave the file: `staff:{email}`, for example. */
  by: z.string(),
  attempts: z.int(),
  createdAt: z.iso.datetime(),
  startedAt: z.nullable(z.iso.datetime()),
  endedAt: z.nullable(z.iso.datetime()),
})
export type VideoJob = z.output<typeof videoJob>
export const videoJobPage = pageOf(videoJob)
export const videoJobQuery = z.object({
  status: z.optional(videoJobStatus),
  product: z.optional(productCode),
  page,
  size,
})
export const videoJobPath = z.object({ id: videoJobId })

const track = z.object({
  language: z.string().check(z.minLength(2), z.maxLength(35)),
  /** The label for viewers; by default the language's own name. */
  label: z.optional(z.string().check(z.minLength(1), z.maxLength(60), cleaned)),
  /** The completed upload with the file. */
  upload: uploadId,
})
const seconds = z.number().check(z.gte(0), z.lte(864_000))

/** The longest public preview in seconds. */
export const maxPreviewSeconds = 600
/** The length of a public preview in seconds; 0 for none. */
export const previewLength = z.int().check(z.gte(0), z.lte(maxPreviewSeconds))
export const previewStart = seconds

/**
 * Turns completed uploads into the stream of a product, or of one of its lessons. Without a product
 * it becomes a video of the library, which products and lessons can show later.
 */
export const videoOrder = z.object({
  product: z.optional(productCode),
  lesson: z.optional(z.int().check(z.gte(1), z.lte(10_000))),
  /** The lesson, where its number may change. */
  lessonId: z.optional(lessonId),
  /** The completed upload with the film. */
  upload: uploadId,
  captions: z._default(z.array(track).check(z.maxLength(30)), []),
  audio: z._default(z.array(track).check(z.maxLength(30)), []),
  chapters: z._default(
    z
      .array(z.object({ startSeconds: seconds, title: z.string().check(z.minLength(1), z.maxLength(200), cleaned) }))
      .check(z.maxLength(500)),
    [],
  ),
  language: z.optional(z.string().check(z.minLength(2), z.maxLength(35))),
  previewSeconds: z.optional(previewLength),
  previewStartSeconds: z.optional(previewStart),
  /** The poster candidate that becomes the product's poster, counted from 1. */
  poster: z.optional(z.int().check(z.gte(1), z.lte(maxPosters))),
  /** Whether to keep the file after encoding. */
  keepSource: z._default(z.boolean(), false),
})
export type VideoOrder = z.output<typeof videoOrder>
