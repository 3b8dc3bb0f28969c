import * as z from 'zod/mini'
import { lessonId } from '#contract/ids.ts'

/** `lesson`: which one of a course; `t`: the second a shared link begins at. */
export const watchSearch = z.object({
  lesson: z.catch(z.optional(lessonId), undefined),
  t: z.catch(z.optional(z.coerce.number().check(z.gte(0), z.lte(1_000_000))), undefined),
})
export type WatchSearch = z.output<typeof watchSearch>
