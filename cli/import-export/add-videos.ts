import type { Deps } from '#api/deps.ts'
import type { PaymentCtx } from '#api/modules/billing/payment-states.ts'
import type { SourceFiles } from '#api/modules/import-export/tables/cell-formats.ts'
import type { RequestedVideo } from '#api/modules/import-export/tables/table.ts'
import { freeDiskSpace } from '#api/modules/media/disk-space.ts'
import { languageLabel } from '#api/modules/media/package/refusals.ts'
import { addVideoFiles, type VideoInput } from '#api/modules/media/video-files.ts'
import type { AuditActor } from '#api/platform/audit.ts'
import { isFailure } from '#api/platform/context.ts'
import { OperatorError } from '#api/platform/log/log.ts'

const fileOf = async (files: SourceFiles, path: string) => {
  const file = await files.open(path, 'VIDEO')
  if (file === null || typeof file === 'string') throw new OperatorError(`${path} no longer exists.`)
  return file.path
}

const inputOf = async (files: SourceFiles, video: RequestedVideo): Promise<VideoInput> => {
  const tracksOf = async (tracks: RequestedVideo['captions']) => {
    const inputs = []
    for (const { language, path } of tracks)
      inputs.push({ language, label: languageLabel(language), path: await fileOf(files, path) })
    return inputs
  }
  const { path, captions, audio, ...rest } = video
  return {
    ...rest,
    path: await fileOf(files, path),
    captions: await tracksOf(captions),
    audio: await tracksOf(audio),
  }
}

/** Queues the videos that imported tables name. Each is encoded in the background. */
export const queueImportedVideos = async (
  ctx: PaymentCtx,
  deps: Deps,
  by: AuditActor,
  videos: readonly RequestedVideo[],
  { files, keepSources }: { files: SourceFiles; keepSources: boolean },
) => {
  const intake = { ...ctx, sources: deps.sources, dataFolder: deps.dataFolder, freeSpace: () => freeDiskSpace(deps) }
  for (const video of videos) {
    const input = await inputOf(files, video)
    const job = await addVideoFiles(intake, by, { ...input, ...(keepSources && { keepSource: true }) })
    if (!isFailure(job)) continue
    const why = Object.values(job.errors ?? {}).flat()
    throw new OperatorError(
      `The tables were imported. ${video.path} could not be processed: ${why.join(' ')} Import again to retry.`,
    )
  }
}
