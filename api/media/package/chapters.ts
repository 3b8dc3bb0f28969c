import { clock } from './clock.ts'
import { VideoRefused } from './refusal.ts'
import type { Playable } from './validate.ts'

export interface Chapter {
  startSeconds: number
  title: string
}

const LONGEST_TITLE = 200
/** They come with every page and player that shows the film. */
export const MOST_CHAPTERS = 500

/** The chapters that were wished, else the file's own, in the order of the film; a file that names more than anybody reads has none. */
export function chaptersFor(wished: readonly Chapter[], { chapters, seconds }: Playable): Chapter[] {
  for (const { startSeconds, title } of wished) {
    if (!(startSeconds >= 0 && startSeconds < seconds))
      throw new VideoRefused(
        'BAD_CHAPTERS',
        `The chapter "${title}" begins at ${clock(startSeconds)}; the film lasts ${clock(seconds)}.`,
      )
    if (title.trim() === '')
      throw new VideoRefused('BAD_CHAPTERS', `The chapter at ${clock(startSeconds)} has no title.`)
  }
  const own = chapters.length > MOST_CHAPTERS ? [] : chapters
  return (wished.length > 0 ? wished : own)
    .filter(({ startSeconds }) => startSeconds >= 0 && startSeconds < seconds)
    .map(({ startSeconds, title }) => ({ startSeconds, title: title.trim().slice(0, LONGEST_TITLE) }))
    .sort((a, b) => a.startSeconds - b.startSeconds)
}
