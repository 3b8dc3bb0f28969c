import * as z from 'zod/mini'

/** `problem`: why a form post without script was refused, by its code. */
export const cartSearch = z.object({ problem: z.catch(z.optional(z.string().check(z.maxLength(40))), undefined) })
