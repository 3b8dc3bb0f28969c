import type { Deps } from '#api/deps.ts'
import type { AuditActor } from '#api/domain/desk/audit.ts'
import type { SourceFiles } from '#api/domain/exchange/source.ts'
import type { VideoWanted } from '#api/domain/exchange/table.ts'
import { isFailure } from '#api/domain/failure.ts'
import type { PaymentEnv } from '#api/domain/payments/env.ts'
import { giveVideo } from '#api/domain/videos/give-video.ts'
import { roomLeft } from '#api/media/room.ts'
import { StartupError } from '#api/startup-error.ts'
import type { LessonId, ProductId } from '#contract/ids.ts'

/** Videos go their own way once the tables are kept: each becomes a stream when there is time. */
export const handIn = async (
  env: PaymentEnv,
  deps: Deps,
  by: AuditActor,
  videos: readonly VideoWanted[],
  files: SourceFiles,
) => {
  const giving = { ...env, sources: deps.sources, dataFolder: deps.dataFolder, roomLeft: () => roomLeft(deps) }
  for (const { productId, lessonId, path } of videos) {
    const file = await files.open(path)
    if (file === null || typeof file === 'string') throw new StartupError(`${path} is not there any more.`)
    const video = { productId: productId as ProductId, lessonId: lessonId as LessonId | null, path: file.path }
    const job = await giveVideo(giving, by, video)
    if (!isFailure(job)) continue
    const why = Object.values(job.errors ?? {}).flat()
    throw new StartupError(
      `The tables are in the store. ${path} is not on its way: ${why.join(' ')} Import again for the rest.`,
    )
  }
}
