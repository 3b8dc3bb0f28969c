import { resetKeyPath, resetRequest, resetSubmit } from '#contract/accounts.ts'
import { type Result, succeeded } from '~/platform/api/problem'
import { checked, readFn, writeFn } from '~/platform/api/server-fn'
import { keyIsSpent } from './reset-attempt'

/** Asks for a mail with an access key. The answer is the same for an e-mail nobody has. */
export const requestReset = writeFn()
  .validator(checked(resetRequest))
  .handler(({ data, context }) => context.ask((api) => api.joining.requestReset(data)))

/** Whose password an access key opens; null where it opens none, or none any more. */
export const confirmKey = readFn()
  .validator(checked(resetKeyPath))
  .handler(async ({ data, context }): Promise<Result<{ email: string } | null>> => {
    const answer = await context.ask((api) => api.joining.checkReset(data))
    return answer.ok || !(keyIsSpent(answer.problem.status) || answer.problem.status === 422) ? answer : succeeded(null)
  })

/** Sets the new password. Every session of the member ends. */
export const submitReset = writeFn()
  .validator(checked(resetSubmit))
  .handler(async ({ data, context }): Promise<Result<null>> => {
    const answer = await context.ask((api) => api.joining.reset(data))
    return answer.ok ? succeeded(null) : answer
  })
