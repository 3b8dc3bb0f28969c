import { lessonId } from '#contract/ids.ts'
import { amountUpTo, type SearchOf, searchSchema } from '~/platform/navigation/search-schema'

/** `lesson`: which one of a course; `t`: the second a shared link begins at. */
export const watchSearch = searchSchema({ lesson: lessonId, t: amountUpTo(1_000_000) })
export type WatchSearch = SearchOf<typeof watchSearch>
