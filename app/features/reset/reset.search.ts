import * as z from 'zod/mini'

/** `key` is the access key of the mail. A key that consists of digits alone is still a text. */
export const resetSearch = z.object({ key: z.catch(z.optional(z.coerce.string().check(z.maxLength(200))), undefined) })
