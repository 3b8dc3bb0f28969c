import * as z from 'zod/mini'

/** `redirect` is where one was before, to go back to once joined. */
export const joinSearch = z.object({ redirect: z.catch(z.optional(z.string()), undefined) })
