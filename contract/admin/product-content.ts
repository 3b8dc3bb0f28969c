import type { VideoId } from '../ids.ts'

/** Lessons and files of a product. What a change leaves out stays. */
interface Parts {
  lessons?: readonly { id?: string | undefined }[] | undefined
  attachments?: readonly { id?: string | undefined }[] | undefined
}

interface StoredParts {
  lessons: readonly { id: string; videoId: VideoId | null }[]
  attachments: readonly { id: string }[]
}

/** Whether a change removes all that there is to watch or download of a product. */
export const losesContent = (
  { videoId }: { videoId: VideoId | null },
  stored: StoredParts,
  { lessons = stored.lessons, attachments = stored.attachments }: Parts,
): boolean => {
  if (videoId !== null) return false
  const left = new Set([...lessons, ...attachments].map(({ id }) => id))
  const content = [...stored.lessons.filter((lesson) => lesson.videoId !== null), ...stored.attachments]
  return content.length > 0 && !content.some(({ id }) => left.has(id))
}
