import * as z from 'zod/mini'

/** Names one attempt to pay, as a form or a call sends it; made once, when the form is shown. */
export const idempotencyKey = z.string().check(z.regex(/^[\w-]{16,64}$/))
