import type { Chapter } from '#contract/playback.ts'

export type { Chapter }

/** Back within this of a chapter's beginning, "previous" means the one before. */
const justBegun = 3

/** The chapter that runs at a moment; undefined before the first. */
export const chapterAt = (chapters: readonly Chapter[], seconds: number): Chapter | undefined =>
  chapters.findLast(({ startSeconds }) => startSeconds <= seconds)

export const chapterAfter = (chapters: readonly Chapter[], seconds: number): Chapter | undefined =>
  chapters.find(({ startSeconds }) => startSeconds > seconds)

/** The running chapter's beginning, or the one before it when it has only just begun. */
export const chapterBefore = (chapters: readonly Chapter[], seconds: number): Chapter | undefined =>
  chapterAt(chapters, Math.max(0, seconds - justBegun)) ?? chapters[0]
