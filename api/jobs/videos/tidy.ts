import type { Customer } from '#api/context.ts'
import { withTenant } from '#api/db/with-tenant.ts'
import type { Deps } from '#api/deps.ts'
import { forgetVideo, staleVideos, useOfSources } from '#api/domain/videos/stale-videos.ts'
import { expireUploads } from '#api/media/uploads.ts'
import { assetsOf } from './assets.ts'

/** Sources that no job has taken up yet are somebody's upload just now. */
const sourcesYoungMilliseconds = 3_600_000

/** The hour's part: exchanged streams, sources nobody wants any more, and uploads nobody finished are removed. */
export const tidyVideos = async (deps: Deps, customer: Customer) => {
  const { storage, sources, dataFolder } = deps
  const inTransaction = <Answer>(work: (ctx: Parameters<typeof staleVideos>[0]) => Promise<Answer>) =>
    withTenant(deps.pool, customer.id, (db) => work({ db, customer, clock: deps.clock }))
  for (const { id, ownFiles, posterUsed } of await inTransaction(staleVideos)) {
    const { asset, preview, posters } = assetsOf(id)
    for (const prefix of ownFiles ? [asset, preview, ...(posterUsed ? [] : [posters])] : [])
      await storage.remove(prefix)
    await inTransaction((ctx) => forgetVideo(ctx, id))
  }
  for (const { prefix, madeAt } of await sources.list(customer.id)) {
    const use = await inTransaction((ctx) => useOfSources(ctx, prefix))
    const forgotten = use === 'UNKNOWN' && Date.now() - madeAt.getTime() > sourcesYoungMilliseconds
    if (use === 'DONE' || forgotten) await sources.remove(`${prefix}file`)
  }
  await expireUploads(dataFolder, customer.id)
}
