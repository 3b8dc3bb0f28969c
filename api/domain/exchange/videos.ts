import { uploadedSources, videoIdsOf } from '#api/db/queries/exchange-media.ts'
import type { Value, Values } from './cells.ts'
import type { Change, Kept, Work } from './table.ts'

const waiting = 'path:'
const pathOf = (value: Value | undefined) =>
  typeof value === 'string' && value.startsWith(waiting) ? value.slice(waiting.length) : null

/** Under what a cell that names a video's file is known until the file has become a stream. */
export const waitingVideo = (path: string) => waiting + path

/** A file that was handed in for the same row before, by name and size, is the video the row has or is about to have. */
export const settleVideos = async (
  { db, customerId, videoBytes }: Work,
  pairs: readonly { values: Values; kept: Kept | null }[],
) => {
  const named = pairs.flatMap(({ values, kept }) => {
    const path = pathOf(values.video)
    return kept && path !== null ? [{ values, kept, path }] : []
  })
  if (named.length === 0) return
  const sources = await uploadedSources(
    db,
    customerId,
    named.map(({ kept }) => kept.id),
  )
  for (const { values, kept, path } of named) {
    const source = sources.get(kept.id)
    const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
    if (source?.name.normalize() === name.normalize() && source.bytes === videoBytes.get(path))
      values.video = kept.values.video ?? null
  }
}

/** The ids of the videos some rows have after being written; those that are new are noted, to be handed in later. */
export const videoIdsFor = async (
  work: Work,
  changes: readonly Change[],
  targetOf: (change: Change) => { productId: string; lessonId: string | null },
): Promise<(change: Change) => string | null> => {
  const assetOf = ({ values, kept }: Change) =>
    (pathOf(values.video) === null ? values.video : kept?.values.video) as string | null | undefined
  const assets = changes.flatMap((change) => assetOf(change) ?? [])
  const ids = assets.length > 0 ? await videoIdsOf(work.db, work.customerId, assets) : new Map<string, string>()
  for (const change of changes) {
    const path = pathOf(change.values.video)
    if (path !== null) work.videos.push({ ...targetOf(change), path })
  }
  return (change) => ids.get(assetOf(change) ?? '') ?? null
}
