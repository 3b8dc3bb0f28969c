import type { VideoDrm } from '#api/modules/catalog/catalog.schema.ts'
import { findProduct, findProductIdByCode, listCodesLike } from '#api/modules/catalog/playables.queries.ts'
import { type AuditActor, audit } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { type I18n, messagesOf } from '#api/platform/i18n/messages.ts'
import { editDistance } from '#api/platform/text.ts'
import { maxCaptionTracks, maxChapters } from '#contract/admin/videos.ts'
import { type LessonId, type ProductCode, productCode, type VideoId, type VideoJobId } from '#contract/ids.ts'
import { maxPosters, maxPreviewSeconds } from '#contract/media.ts'
import { trimText } from '#contract/text.ts'
import type { VideoOptions } from './media.schema.ts'
import { supersede } from './video-job-states.ts'
import { announceVideoJobs, insertVideoJob } from './video-jobs.queries.ts'
import { subjectOfJob } from './video-jobs.ts'
import type { StoredSource } from './video-sources.ts'
import { lessonExists, listLessonIds, type NamedVideoTarget, updateVideo, type VideoTarget } from './videos.queries.ts'

const languageTag = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/
const isLanguage = (language: string) => {
  try {
    return languageTag.test(language) && Intl.getCanonicalLocales(language).length === 1
  } catch {
    return false
  }
}

const unknownLanguage = (i18n: I18n, language: string) =>
  i18n._('{language} is not a language. Use a tag, for example ko, en or pt-BR.', { language })

const languageErrors = (i18n: I18n, tracks: readonly { language: string }[]) => {
  const complaints: string[] = []
  if (tracks.length > maxCaptionTracks) complaints.push(i18n._('Use at most {max}.', { max: maxCaptionTracks }))
  const keys = new Set<string>()
  for (const { language } of tracks) {
    if (!isLanguage(language)) complaints.push(unknownLanguage(i18n, language))
    else if (keys.has(language.toLowerCase()))
      complaints.push(i18n._('{language} is used twice. Use one track per language.', { language }))
    keys.add(language.toLowerCase())
  }
  return complaints
}

/** Validates the options before any file is read. Returns messages by field, or null. */
export const checkVideoOptions = (options: VideoOptions, i18n = messagesOf('en')): Record<string, string[]> | null => {
  const errors: Record<string, string[]> = {}
  const addComplaints = (field: string, sentences: string[]) => {
    if (sentences.length > 0) errors[field] = sentences
  }
  addComplaints('captions', languageErrors(i18n, options.captions))
  addComplaints('audio', languageErrors(i18n, options.audio))
  addComplaints('chapters', chapterErrors(i18n, options))
  if (options.language !== undefined && !isLanguage(options.language))
    addComplaints('language', [unknownLanguage(i18n, options.language)])
  const { previewSeconds, previewStartSeconds, poster } = options
  if (previewSeconds !== undefined && !(previewSeconds >= 0 && previewSeconds <= maxPreviewSeconds))
    addComplaints('previewSeconds', [
      i18n._('A preview must be between 0 (no preview) and {max} seconds long.', { max: maxPreviewSeconds }),
    ])
  if (previewStartSeconds !== undefined && !(previewStartSeconds >= 0))
    addComplaints('previewStartSeconds', [i18n._('The preview must start at second 0 or later.')])
  if (poster !== undefined && !(Number.isInteger(poster) && poster >= 1 && poster <= maxPosters))
    addComplaints('poster', [i18n._('The poster must be a number from 1 to {max}.', { max: maxPosters })])
  return Object.keys(errors).length > 0 ? errors : null
}

const chapterErrors = (i18n: I18n, { chapters }: VideoOptions) => {
  if (chapters.length > maxChapters) return [i18n._('Use at most {max} chapters.', { max: maxChapters })]
  const late = chapters.findIndex(({ startSeconds }, at) => {
    const before = at === 0 ? undefined : chapters[at - 1]
    return before !== undefined && startSeconds <= before.startSeconds
  })
  if (late > 0) return [i18n._('Chapter {number} must start after the one before it.', { number: late + 1 })]
  const empty = chapters.findIndex(({ title }) => trimText(title) === '' || title.length > 200)
  return empty >= 0 ? [i18n._('Chapter {number} needs a title of 1 to 200 characters.', { number: empty + 1 })] : []
}

export interface NewVideo {
  /** Null for a video of the library, which nothing shows yet. */
  productId: VideoTarget['productId'] | null
  lessonId: VideoTarget['lessonId']
  source: StoredSource
  options: VideoOptions
}

const unknownLesson = (i18n: I18n, code: string) => i18n._('{code} doesn’t have this lesson.', { code })

/** Returns what a new video is for. Failures: NOT_FOUND, and VALIDATION_FAILED for the options. */
const checkTarget = async (
  { db, customer, locale }: Ctx,
  { productId, lessonId, options }: NewVideo,
): Promise<{ code: ProductCode | null } | Failure> => {
  const i18n = messagesOf(locale)
  if (productId === null)
    return options.poster === undefined
      ? { code: null }
      : failure('VALIDATION_FAILED', { errors: { poster: [i18n._('Name the product that gets the poster.')] } })
  const product = await findProduct(db, customer.id, productId)
  if (!product) return failure('NOT_FOUND', { errors: { product: [i18n._('Product not found in this store.')] } })
  if (lessonId !== null && !(await lessonExists(db, customer.id, productId, lessonId)))
    return failure('NOT_FOUND', { errors: { lesson: [unknownLesson(i18n, product.code)] } })
  return { code: product.code }
}

/**
 * Queues a file as the new stream of a product or lesson, or as a video of the library. The current
 * stream is served until the new one is complete. An unfinished earlier job for the same target is
 * cancelled. Failures: NOT_FOUND, VALIDATION_FAILED.
 */
export const addVideo = async (ctx: Ctx, by: AuditActor, video: NewVideo): Promise<{ id: VideoJobId } | Failure> => {
  const { db, customer, clock } = ctx
  const { productId, lessonId, source, options } = video
  const target = await checkTarget(ctx, video)
  if (isFailure(target)) return target
  const errors = checkVideoOptions(options, messagesOf(ctx.locale))
  if (errors) return failure('VALIDATION_FAILED', { errors })

  if (productId !== null) await supersede(ctx, productId, lessonId)
  const id = newId<VideoJobId>()
  await insertVideoJob(db, {
    customerId: customer.id,
    id,
    productId,
    lessonId,
    videoId: newId<VideoId>(),
    options,
    actor: by,
    sourceKey: source.key,
    sourceName: source.name,
    sourceBytes: source.bytes,
    createdAt: clock.now().toISOString(),
  })
  await audit(ctx, {
    actor: by,
    action: 'video.added',
    subject: subjectOfJob({ id, productCode: target.code, lessonId }),
    detail: { job: id, file: source.name },
  })
  await announceVideoJobs(db, customer.id)
  return { id }
}

const maxCodes = 5_000
const maxHints = 3
/** The largest edit distance of a suggested code. */
const maxEditDistance = 2

/** Returns the existing product codes most similar to an unknown one. */
const similarCodes = async ({ db, customer }: Ctx, code: string): Promise<ProductCode[]> => {
  const lowerCode = code.toLowerCase()
  const codes = await listCodesLike(db, customer.id, lowerCode, maxCodes)
  return codes
    .map((there) => ({ code: there, distance: editDistance(lowerCode, there.toLowerCase(), maxEditDistance) }))
    .filter(({ code: there, distance }) => distance <= maxEditDistance || there.toLowerCase().startsWith(lowerCode))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, maxHints)
    .map(({ code: there }) => there)
}

/**
 * Finds the target of a video by product code and lesson number, from 1. Fails with NOT_FOUND,
 * naming similar codes.
 */
export const findTarget = async (
  ctx: Ctx,
  { product, lesson, lessonId }: { product: string; lesson?: number | undefined; lessonId?: LessonId | undefined },
): Promise<NamedVideoTarget | Failure> => {
  const { db, customer } = ctx
  const i18n = messagesOf(ctx.locale)
  const { data: code } = productCode.safeParse(product)
  const productId = code && (await findProductIdByCode(db, customer.id, code))
  if (!productId) {
    const near = await similarCodes(ctx, product)
    const missing = i18n._('There is no product {product} in {store}.', { product, store: customer.code })
    const hint = near.length > 0 ? i18n._('Did you mean {codes}?', { codes: near.join(', ') }) : ''
    return failure('NOT_FOUND', { errors: { product: [`${missing} ${hint}`.trim()] } })
  }
  if (lessonId !== undefined)
    return (await lessonExists(db, customer.id, productId, lessonId))
      ? { productId, productCode: code, lessonId }
      : failure('NOT_FOUND', { errors: { lesson: [unknownLesson(i18n, code)] } })
  if (lesson === undefined) return { productId, productCode: code, lessonId: null }
  const all = await listLessonIds(db, customer.id, productId)
  const chosenLesson = all[lesson - 1]
  if (chosenLesson) return { productId, productCode: code, lessonId: chosenLesson }
  const there =
    all.length === 0
      ? i18n._('{code} has no lessons: there is no lesson {lesson}.', { code, lesson })
      : i18n._('{code} has lessons 1 to {last}: there is no lesson {lesson}.', { code, last: all.length, lesson })
  return failure('NOT_FOUND', { errors: { lesson: [there] } })
}

const line = /^(?:(\d{1,2}):)?(\d{1,3}):(\d{2})(?:[.,](\d{1,3}))?\s+(?:[-–—]\s+)?(\S.*)$/

/**
 * Parses chapters, one per line: `00:00 Opening`. Fails with VALIDATION_FAILED, naming the first
 * invalid line.
 */
export const readChapters = (
  text: string,
  i18n = messagesOf('en'),
): { startSeconds: number; title: string }[] | Failure => {
  const chapters: { startSeconds: number; title: string }[] = []
  for (const [at, given] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (given.trim() === '') continue
    const [, hours = '0', minutes = '', seconds = '', fraction = '0', title = ''] = line.exec(given.trim()) ?? []
    if (title === '' || Number(seconds) > 59)
      return failure('VALIDATION_FAILED', {
        errors: {
          chapters: [
            i18n._('Line {number} of the chapters must be a time and a title, for example 01:30 The second part.', {
              number: at + 1,
            }),
          ],
        },
      })
    const wholeSeconds = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
    chapters.push({ startSeconds: wholeSeconds + Number(`0.${fraction}`), title: title.trim() })
  }
  return chapters
}

/** Sets the licence servers of an encrypted video; null for an unencrypted video. */
export const changeVideoDrm = ({ db, customer }: Ctx, id: VideoId, drm: VideoDrm | null) =>
  updateVideo(db, customer.id, id, { drm })
