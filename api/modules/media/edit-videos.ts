import { saveCaptionsIn } from '#api/modules/catalog/captions.ts'
import type { CaptionTrack } from '#api/modules/catalog/catalog.schema.ts'
import { manifestOf } from '#api/modules/catalog/playables.queries.ts'
import { type AuditActor, changesOf } from '#api/platform/audit.ts'
import { type Ctx, type DetachedCtx, type Failure, failure, invalidField, isFailure } from '#api/platform/context.ts'
import { type I18n, messagesOf } from '#api/platform/i18n/messages.ts'
import { translationErrors, withTranslations } from '#api/platform/i18n/translations.ts'
import { contentHash, type MediaStorage, mediaKey } from '#api/platform/storage/storage.ts'
import { maxCaptionTracks, type StoreVideo } from '#contract/admin/videos.ts'
import { CaptionsInvalid, cuesWithin, type MarkedCue, parseCaptions, webVtt } from '#contract/captions.ts'
import { locale } from '#contract/enumerations.ts'
import type { VideoId } from '#contract/ids.ts'
import { captionsRefusal } from './package/chapters.ts'
import { captionPlaylist, withCaptions } from './package/playlists.ts'
import { languageLabel, languageTag } from './package/refusals.ts'
import { captionsKey, readText } from './video-jobs.ts'
import {
  auditShown,
  captionVersions,
  chaptersOf,
  findStoreVideo,
  lockShown,
  previewOf,
  type ShownVideo,
  viewVideo,
} from './video-library.ts'
import { setTargetTranslations, updateVideo } from './videos.queries.ts'

type Chapter = StoreVideo['chapters'][number]

const trackOf = ({ video }: ShownVideo, language: string) =>
  video.captions.find((track) => track.language.toLowerCase() === language.toLowerCase())

/** Reads captions as WebVTT; with `file`, an earlier version of them. Failure: NOT_FOUND. */
export const readCaptions = async (
  { inTransaction }: DetachedCtx,
  storage: MediaStorage,
  { id, language, file }: { id: VideoId; language: string; file?: string | undefined },
) => {
  const found = await inTransaction(async (ctx) => {
    const shown = await findStoreVideo(ctx, id)
    const track = shown && trackOf(shown, language)
    if (!shown || !track) return null
    return { shown, track, versions: await captionVersions(ctx, shown, track) }
  })
  if (!found || (file && !found.versions.some((version) => version.file === file))) return failure('NOT_FOUND')
  const { shown, track, versions } = found
  const stored = await readText(storage, captionsKey(shown.video.asset, file ? { ...track, file } : track))
  if (stored === null) return failure('NOT_FOUND')
  return { language: track.language, label: track.label, webVtt: stored, versions }
}

interface CaptionsInput {
  id: VideoId
  language: string
  /** Null removes the captions. */
  file: { bytes: Uint8Array; label: string | undefined } | null
  expected: string | null
}

/** A stream and its preview, each with the part of the film that it has. */
const streamsOf = async (ctx: Ctx, shown: ShownVideo) => {
  const { asset, durationSeconds, previewAsset } = shown.video
  const film = { asset, from: 0, seconds: durationSeconds }
  const part = await previewOf(ctx, shown)
  return part && previewAsset !== null
    ? [film, { asset: previewAsset, from: part.startSeconds, seconds: part.seconds }]
    : [film]
}
type StreamPart = Awaited<ReturnType<typeof streamsOf>>[number]

/**
 * Stores the caption file and the playlists that name it. All are new files, because a stored file
 * never changes: current viewers keep the captions they have. Returns the name of the manifest.
 */
const storePlaylists = async (
  storage: MediaStorage,
  { streams, before, tracks }: { streams: readonly StreamPart[]; before: string; tracks: readonly CaptionTrack[] },
  changed: { track: CaptionTrack; cues: readonly MarkedCue[] } | null,
): Promise<string> => {
  const manifest = `master-${contentHash(Buffer.from(JSON.stringify(tracks)))}.m3u8`
  for (const { asset, from, seconds } of streams) {
    if (changed) {
      const { language, file = language } = changed.track
      const cues = cuesWithin(changed.cues, from, from + seconds)
      await storage.put(captionsKey(asset, changed.track), Buffer.from(webVtt(cues)))
      const playlist = captionPlaylist(`${file}.vtt`, seconds)
      await storage.put(mediaKey(`${asset}/captions/${file}.m3u8`), Buffer.from(playlist))
    }
    const master = await readText(storage, `${asset}/${before}`)
    if (master !== null) await storage.put(mediaKey(`${asset}/${manifest}`), Buffer.from(withCaptions(master, tracks)))
  }
  return manifest
}

const cuesOf = (i18n: I18n, { file }: CaptionsInput, language: string): MarkedCue[] | Failure => {
  if (!file) return []
  try {
    return parseCaptions(file.bytes, language)
  } catch (error) {
    if (!(error instanceof CaptionsInvalid)) throw error
    return invalidField('file', captionsRefusal(error, language, i18n))
  }
}

const replaceTrack = (tracks: readonly CaptionTrack[], language: string, track: CaptionTrack | null) => {
  const at = tracks.findIndex((each) => each.language === language)
  if (at < 0) return track ? [...tracks, track] : [...tracks]
  return tracks.flatMap((each) => (each.language === language ? (track ?? []) : each))
}

/**
 * Sets or removes the captions of a video in one language. Viewers get them with their next play,
 * and the search finds their words. `expected` is the value of `If-Match`. Failures: NOT_FOUND,
 * VERSION_MISSING, VERSION_CONFLICT, VALIDATION_FAILED.
 */
export const editCaptions = async (
  { inTransaction, locale: readerLocale }: DetachedCtx,
  by: AuditActor,
  storage: MediaStorage,
  input: CaptionsInput,
) => {
  const { id, file, expected, language: given } = input
  const before = await inTransaction(async (ctx) => {
    const shown = await lockShown(ctx, id, expected)
    return isFailure(shown) ? shown : { shown, streams: await streamsOf(ctx, shown) }
  })
  if (isFailure(before)) return before
  const { shown, streams } = before
  const i18n = messagesOf(readerLocale)
  const tracks = shown.video.captions
  const present = trackOf(shown, given)
  const language = present?.language ?? languageTag(given)
  if (!language)
    return invalidField('language', i18n._('{given} is not a language. Use a tag, for example ko or en.', { given }))
  if (!file && !present) return failure('NOT_FOUND')
  if (file && !present && tracks.length >= maxCaptionTracks)
    return invalidField(
      'language',
      i18n._('A video has captions in at most {max} languages.', { max: maxCaptionTracks }),
    )
  const cues = cuesOf(i18n, input, language)
  if (isFailure(cues)) return cues
  const text = cues.find(({ startSeconds }) => startSeconds >= shown.video.durationSeconds)?.text.slice(0, 60)
  if (text !== undefined)
    return invalidField(
      'file',
      i18n._('“{text}” starts after the end of the video. Use captions of this video.', { text }),
    )

  const hash = contentHash(Buffer.from(webVtt(cues)))
  const label = file?.label ?? present?.label ?? languageLabel(language)
  const track: CaptionTrack | null = file && { language, label, file: `${language}-${hash}` }
  const captions = replaceTrack(tracks, language, track)
  const manifest = await storePlaylists(
    storage,
    { streams, before: manifestOf(shown.video), tracks: captions },
    track && { track, cues },
  )
  return inTransaction(async (ctx) => {
    const { db, customer } = ctx
    const current = await lockShown(ctx, id, expected)
    if (isFailure(current)) return current
    await updateVideo(db, customer.id, id, { captions, manifest })
    await saveCaptionsIn(db, customer.id, id, { language, cues })
    const changes = changesOf<object>({ [language]: present ?? null }, { [language]: track })
    if (Object.keys(changes).length > 0)
      await auditShown(ctx, current, {
        actor: by,
        action: track ? 'video.captions-changed' : 'video.captions-removed',
        changes,
        detail: { video: id, language, captions: cues.length },
      })
    return viewVideo(ctx, id)
  })
}

const chapterErrors = (i18n: I18n, chapters: readonly Chapter[], seconds: number) => {
  const errors: Record<string, string[]> = {}
  for (const [at, { startSeconds }] of chapters.entries()) {
    const field = `chapters.${at}.startSeconds`
    const before = chapters[at - 1]
    if (before && startSeconds <= before.startSeconds)
      errors[field] = [i18n._('A chapter must start after the one before it.')]
    else if (startSeconds >= seconds)
      errors[field] = [i18n._('A chapter must start before the end of the video ({seconds} s).', { seconds })]
  }
  return errors
}

/** Translated titles are kept with what shows the video. */
const untranslatable = (i18n: I18n) => i18n._('Titles can be translated once a product or lesson shows the video.')

/**
 * Replaces the chapters of a video. `expected` is the value of `If-Match`. Failures: NOT_FOUND,
 * VERSION_MISSING, VERSION_CONFLICT, VALIDATION_FAILED.
 */
export const setChapters = async (
  ctx: Ctx,
  by: AuditActor,
  expected: string | null,
  { id, chapters }: { id: VideoId; chapters: readonly Chapter[] },
) => {
  const { db, customer } = ctx
  const shown = await lockShown(ctx, id, expected)
  if (isFailure(shown)) return shown
  const languages = locale.options.filter((language) => chapters.some(({ translations }) => translations[language]))
  const texts = Object.fromEntries(languages.map((language) => [language, {}]))
  const errors = {
    ...chapterErrors(messagesOf(ctx.locale), chapters, shown.video.durationSeconds),
    ...translationErrors(ctx, texts),
    ...(shown.targets.length === 0 && languages.length > 0 && { chapters: [untranslatable(messagesOf(ctx.locale))] }),
  }
  if (Object.keys(errors).length > 0) return failure('VALIDATION_FAILED', { errors })

  const listIn = (language: (typeof locale.options)[number]) =>
    languages.includes(language) ? chapters.map(({ translations }) => translations[language] ?? '') : null
  const titles = Object.fromEntries(locale.options.map((language) => [language, { chapters: listIn(language) }]))
  await updateVideo(db, customer.id, id, {
    chapters: chapters.map(({ startSeconds, title }) => ({ startSeconds, title })),
  })
  for (const target of shown.targets)
    await setTargetTranslations(db, customer.id, target, withTranslations(target.translations, titles))
  const changes = changesOf<object>({ chapters: chaptersOf(shown) }, { chapters })
  if (Object.keys(changes).length > 0)
    await auditShown(ctx, shown, { actor: by, action: 'video.chapters-changed', changes, detail: { video: id } })
  return viewVideo(ctx, id)
}
