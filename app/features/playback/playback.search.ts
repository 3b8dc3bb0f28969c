import { lessonId } from '#contract/ids.ts'
import { amountUpTo, type SearchOf, searchSchema } from '~/platform/navigation/search-schema'

/** `lesson`: the lesson of a course; `t`: the second where a shared link starts. */
export const watchSearch = searchSchema({ lesson: lessonId, t: amountUpTo(1_000_000) })
export type WatchSearch = SearchOf<typeof watchSearch>
