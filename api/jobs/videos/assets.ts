import type { Deps } from '#api/deps.ts'
import { type MediaKey, parseMediaKey } from '#api/media/key.ts'
import { variantsOf } from '#api/media/variants.ts'

const key = (path: string): MediaKey => {
  const parsed = parseMediaKey(path)
  if (!parsed) throw new Error(`${path} is no media key`)
  return parsed
}

/** Where a video's stream, preview and poster candidates, with their other sizes, lie in the storage. */
export const assetsOf = (videoId: string) => {
  const posters = key(`poster/${videoId}`)
  return {
    asset: key(`video/${videoId}`),
    preview: key(`video/${videoId}-preview`),
    posters,
    posterVariants: variantsOf(posters),
  }
}

/** Takes away everything stored of a video, whole or half. */
export const removeAssets = async ({ storage }: Pick<Deps, 'storage'>, videoId: string) => {
  for (const prefix of Object.values(assetsOf(videoId))) await storage.remove(prefix)
}
