import type { Customer } from '#api/context.ts'
import { withTenant } from '#api/db/with-tenant.ts'
import type { Deps } from '#api/deps.ts'
import { forgetVideo, type StaleVideo, staleVideos, useOfSources } from '#api/domain/videos/stale-videos.ts'
import { expireUploads } from '#api/media/uploads.ts'
import { assetsOf } from './assets.ts'

/** Sources that no job has taken up yet are somebody's upload just now. */
const sourcesYoungMilliseconds = 3_600_000

/**
 * The hour's part: exchanged streams and their pictures, sources nobody wants any more, and uploads nobody finished are removed. What
 * cannot be removed holds up nothing else; it is told of in the end, so that it is tried again.
 */
export const tidyVideos = async (deps: Deps, customer: Customer) => {
  const { storage, sources, dataFolder } = deps
  const log = deps.log.child({ customer: customer.code })
  const inTransaction = <Answer>(work: (ctx: Parameters<typeof staleVideos>[0]) => Promise<Answer>) =>
    withTenant(deps.pool, customer.id, (db) => work({ db, customer, clock: deps.clock }))
  const failures: unknown[] = []
  const apart = async (what: string, work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      failures.push(error)
      log.warn({ err: error, what }, 'Something of videos could not be tidied away')
    }
  }

  const removeFiles = async ({ id, ownFiles, pictureUsed }: StaleVideo) => {
    const { asset, preview, posters, posterVariants } = assetsOf(id)
    for (const prefix of ownFiles ? [asset, preview, ...(pictureUsed ? [] : [posters, posterVariants])] : [])
      await storage.remove(prefix)
  }
  for (const video of await inTransaction(staleVideos))
    await apart(video.id, () => inTransaction((ctx) => forgetVideo(ctx, video, () => removeFiles(video))))

  const { folders, strays } = await sources.list(customer.id)
  if (strays.length > 0) log.warn({ strays }, 'Among the sources of videos is something that is none; it is left there')
  for (const { prefix, madeAt } of folders)
    await apart(prefix, async () => {
      const use = await inTransaction((ctx) => useOfSources(ctx, prefix))
      const forgotten = use === 'UNKNOWN' && Date.now() - madeAt.getTime() > sourcesYoungMilliseconds
      if (use === 'DONE' || forgotten) await sources.remove(`${prefix}file`)
    })
  await apart('uploads', () => expireUploads(dataFolder, customer.id))
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} leftovers of videos could not be tidied away`)
}
