import * as z from 'zod/mini'
import { searchSchema } from '~/platform/navigation/search-schema'

/** `key` is the access key of the mail. */
export const resetSearch = searchSchema({ key: z.string().check(z.maxLength(200)) })
