import type { Deps } from '#api/deps.ts'
import { type MediaKey, parseMediaKey } from '#api/media/key.ts'

const key = (path: string): MediaKey => {
  const parsed = parseMediaKey(path)
  if (!parsed) throw new Error(`${path} is no media key`)
  return parsed
}

/** Where a video's stream, preview and poster candidates lie in the storage. */
export const assetsOf = (videoId: string) => ({
  asset: key(`video/${videoId}`),
  preview: key(`video/${videoId}-preview`),
  posters: key(`poster/${videoId}`),
})

/** Takes away everything stored of a video, whole or half. */
export const removeAssets = async ({ storage }: Pick<Deps, 'storage'>, videoId: string) => {
  for (const prefix of Object.values(assetsOf(videoId))) await storage.remove(prefix)
}
