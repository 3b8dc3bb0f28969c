import type { Deps } from '#api/deps.ts'
import type { AuditActor } from '#api/domain/desk/audit.ts'
import type { SourceFiles } from '#api/domain/exchange/source.ts'
import type { VideoWanted } from '#api/domain/exchange/table.ts'
import { isFailure } from '#api/domain/failure.ts'
import type { PaymentEnv } from '#api/domain/payments/env.ts'
import { type GivenVideo, giveVideo } from '#api/domain/videos/give-video.ts'
import { roomLeft } from '#api/domain/videos/room.ts'
import { languageLabel } from '#api/media/package/languages.ts'
import { StartupError } from '#api/startup-error.ts'
import type { LessonId, ProductId } from '#contract/ids.ts'

const fileOf = async (files: SourceFiles, path: string) => {
  const file = await files.open(path)
  if (file === null || typeof file === 'string') throw new StartupError(`${path} no longer exists.`)
  return file.path
}

const givenOf = async (files: SourceFiles, wanted: VideoWanted): Promise<GivenVideo> => {
  const tracksOf = async (tracks: VideoWanted['captions']) => {
    const found = []
    for (const { language, path } of tracks)
      found.push({ language, label: languageLabel(language), path: await fileOf(files, path) })
    return found
  }
  const { productId, lessonId, path, captions, audio, ...rest } = wanted
  return {
    ...{ ...rest, productId: productId as ProductId, lessonId: lessonId as LessonId | null },
    ...{ path: await fileOf(files, path), captions: await tracksOf(captions), audio: await tracksOf(audio) },
  }
}

/** Videos go their own way once the tables are kept: each becomes a stream when there is time. */
export const handIn = async (
  env: PaymentEnv,
  deps: Deps,
  by: AuditActor,
  videos: readonly VideoWanted[],
  { files, keepSources }: { files: SourceFiles; keepSources: boolean },
) => {
  const giving = { ...env, sources: deps.sources, dataFolder: deps.dataFolder, roomLeft: () => roomLeft(deps) }
  for (const wanted of videos) {
    const given = await givenOf(files, wanted)
    const job = await giveVideo(giving, by, { ...given, ...(keepSources && { keepSource: true }) })
    if (!isFailure(job)) continue
    const why = Object.values(job.errors ?? {}).flat()
    throw new StartupError(
      `The tables were imported. ${wanted.path} could not be processed: ${why.join(' ')} Import again to retry.`,
    )
  }
}
