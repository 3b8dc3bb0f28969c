import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { resetKeyPath, resetRequest, resetSubmit } from '#contract/accounts.ts'
import { call } from '~/platform/api/call'
import { type Result, succeeded } from '~/platform/api/problem'
import { checked, readFn, writeFn } from '~/platform/api/server-fn'
import { isKeyInvalid } from './reset-attempt'

/** Asks for a mail with an access key. The answer is the same for an e-mail nobody has. */
export const requestReset = writeFn()
  .validator(checked(resetRequest))
  .handler(({ data, context }) => context.ask((api) => api.joining.requestReset(data)))

/** Whose password an access key opens; null where it opens none, or none any more. */
const confirmKey = readFn()
  .validator(checked(resetKeyPath))
  .handler(async ({ data, context }): Promise<Result<{ email: string } | null>> => {
    const answer = await context.ask((api) => api.joining.checkReset(data))
    return answer.ok || !(isKeyInvalid(answer.problem.status) || answer.problem.status === 422)
      ? answer
      : succeeded(null)
  })

/** Sets the new password. Every session of the member ends. */
export const submitReset = writeFn()
  .validator(checked(resetSubmit))
  .handler(async ({ data, context }): Promise<Result<null>> => {
    const answer = await context.ask((api) => api.joining.reset(data))
    return answer.ok ? succeeded(null) : answer
  })

/** Whether an access key still opens. Asked each time, and not kept. */
const accessKeyQuery = (accessKey: string) =>
  queryOptions({
    queryKey: ['access-key', accessKey],
    queryFn: ({ signal }) => call((s) => confirmKey({ data: { accessKey }, signal: s }), { signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })

interface Check {
  context: { queryClient: QueryClient }
  search: { key?: string | undefined }
}

/** What a key opens: `expired` where it opens nothing any more, `missing` where none was brought. */
export interface Opening {
  state: 'open' | 'expired' | 'missing'
  email: string
}

const shortestKey = 20

/** The access-key confirmation: only a key that still opens leads to the form for a new password. */
export async function confirmAccessKey({ context, search: { key } }: Check): Promise<{ opening: Opening }> {
  if (key === undefined) return { opening: { state: 'missing', email: '' } }
  const found =
    key.length >= shortestKey && key.length <= 100 ? await context.queryClient.fetchQuery(accessKeyQuery(key)) : null
  return { opening: found ? { state: 'open', email: found.email } : { state: 'expired', email: '' } }
}
