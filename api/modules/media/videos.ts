import type { VideoDrm } from '#api/modules/catalog/catalog.schema.ts'
import { findProductIdByCode, listCodesLike } from '#api/modules/catalog/edit-products.queries.ts'
import { findProduct } from '#api/modules/catalog/playables.queries.ts'
import { type AuditActor, audit } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { editDistance } from '#api/platform/text.ts'
import { maxCaptionTracks, maxChapters } from '#contract/admin/videos.ts'
import { type LessonId, type ProductCode, productCode, type VideoId, type VideoJobId } from '#contract/ids.ts'
import { maxPosters } from '#contract/media.ts'
import type { VideoOptions } from './media.schema.ts'
import { supersede } from './video-job-states.ts'
import { announceVideoJobs, insertVideoJob } from './video-jobs.queries.ts'
import { subjectOfJob } from './video-jobs.ts'
import type { StoredSource } from './video-sources.ts'
import { lessonExists, listLessonIds, type NamedVideoTarget, updateVideo, type VideoTarget } from './videos.queries.ts'

const longestPreviewSeconds = 600

const languageTag = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/
const isLanguage = (language: string) => {
  try {
    return languageTag.test(language) && Intl.getCanonicalLocales(language).length === 1
  } catch {
    return false
  }
}

const languageErrors = (tracks: readonly { language: string }[]) => {
  const complaints: string[] = []
  if (tracks.length > maxCaptionTracks) complaints.push(`Use at most ${maxCaptionTracks}.`)
  const keys = new Set<string>()
  for (const { language } of tracks) {
    if (!isLanguage(language)) complaints.push(`${language} is not a language. Use a tag, for example ko, en or pt-BR.`)
    else if (keys.has(language.toLowerCase())) complaints.push(`${language} is used twice. Use one track per language.`)
    keys.add(language.toLowerCase())
  }
  return complaints
}

/** Validates the options before any file is read. Returns messages by field, or null. */
export const checkVideoOptions = (options: VideoOptions): Record<string, string[]> | null => {
  const errors: Record<string, string[]> = {}
  const addComplaints = (field: string, sentences: string[]) => {
    if (sentences.length > 0) errors[field] = sentences
  }
  addComplaints('captions', languageErrors(options.captions))
  addComplaints('audio', languageErrors(options.audio))
  addComplaints('chapters', chapterErrors(options))
  if (options.language !== undefined && !isLanguage(options.language))
    addComplaints('language', [`${options.language} is not a language. Use a tag, for example ko, en or pt-BR.`])
  const { previewSeconds, previewStartSeconds, poster } = options
  if (previewSeconds !== undefined && !(previewSeconds >= 0 && previewSeconds <= longestPreviewSeconds))
    addComplaints('previewSeconds', [
      `A preview must be between 0 (no preview) and ${longestPreviewSeconds} seconds long.`,
    ])
  if (previewStartSeconds !== undefined && !(previewStartSeconds >= 0))
    addComplaints('previewStartSeconds', ['The preview must start at second 0 or later.'])
  if (poster !== undefined && !(Number.isInteger(poster) && poster >= 1 && poster <= maxPosters))
    addComplaints('poster', [`The poster must be a number from 1 to ${maxPosters}.`])
  return Object.keys(errors).length > 0 ? errors : null
}

const chapterErrors = ({ chapters }: VideoOptions) => {
  if (chapters.length > maxChapters) return [`Use at most ${maxChapters} chapters.`]
  const late = chapters.findIndex(({ startSeconds }, at) => {
    const before = at === 0 ? undefined : chapters[at - 1]
    return before !== undefined && startSeconds <= before.startSeconds
  })
  if (late > 0) return [`Chapter ${late + 1} must start after the one before it.`]
  const empty = chapters.findIndex(({ title }) => title.trim() === '' || title.length > 200)
  return empty >= 0 ? [`Chapter ${empty + 1} needs a title of 1 to 200 characters.`] : []
}

export interface NewVideo {
  /** Null for a video of the library, which nothing shows yet. */
  productId: VideoTarget['productId'] | null
  lessonId: VideoTarget['lessonId']
  source: StoredSource
  options: VideoOptions
}

/** Returns what a new video is for. Failures: NOT_FOUND, and VALIDATION_FAILED for the options. */
const checkTarget = async (
  { db, customer }: Ctx,
  { productId, lessonId, options }: NewVideo,
): Promise<{ code: ProductCode | null } | Failure> => {
  if (productId === null)
    return options.poster === undefined
      ? { code: null }
      : failure('VALIDATION_FAILED', { errors: { poster: ['Name the product that gets the poster.'] } })
  const product = await findProduct(db, customer.id, productId)
  if (!product) return failure('NOT_FOUND', { errors: { product: ['Product not found in this store.'] } })
  if (lessonId !== null && !(await lessonExists(db, customer.id, productId, lessonId)))
    return failure('NOT_FOUND', { errors: { lesson: [`${product.code} doesn’t have this lesson.`] } })
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
  const errors = checkVideoOptions(options)
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
  const { data: code } = productCode.safeParse(product)
  const productId = code && (await findProductIdByCode(db, customer.id, code))
  if (!productId) {
    const near = await similarCodes(ctx, product)
    const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''
    return failure('NOT_FOUND', { errors: { product: [`There is no product ${product} in ${customer.code}.${hint}`] } })
  }
  if (lessonId !== undefined)
    return (await lessonExists(db, customer.id, productId, lessonId))
      ? { productId, productCode: code, lessonId }
      : failure('NOT_FOUND', { errors: { lesson: [`${code} doesn’t have this lesson.`] } })
  if (lesson === undefined) return { productId, productCode: code, lessonId: null }
  const all = await listLessonIds(db, customer.id, productId)
  const chosenLesson = all[lesson - 1]
  if (chosenLesson) return { productId, productCode: code, lessonId: chosenLesson }
  const there = all.length === 0 ? `${code} has no lessons` : `${code} has lessons 1 to ${all.length}`
  return failure('NOT_FOUND', { errors: { lesson: [`${there}: there is no lesson ${lesson}.`] } })
}

const line = /^(?:(\d{1,2}):)?(\d{1,3}):(\d{2})(?:[.,](\d{1,3}))?\s+(?:[-–—]\s+)?(\S.*)$/

/**
 * Parses chapters, one per line: `00:00 Opening`. Fails with VALIDATION_FAILED, naming the first
 * invalid line.
 */
export const readChapters = (text: string): { startSeconds: number; title: string }[] | Failure => {
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
          chapters: [`Line ${at + 1} of the chapters must be a time and a title, for example 01:30 The second part.`],
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
