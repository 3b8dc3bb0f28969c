import type { LoginAnswer } from '#contract/accounts.ts'
import { reportFailure } from '~/platform/api/failures'
import { ApiError } from '~/platform/api/problem'
import { requestTimeout } from '~/platform/constants'

/** Hands the login's answer to the app server, which keeps the token out of every script's reach. */
export async function registerWithApp(login: LoginAnswer): Promise<void> {
  const response = await fetch('/api/approval', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'x-requested-with': 'XMLHttpRequest',
    },
    body: JSON.stringify(login),
    signal: AbortSignal.timeout(requestTimeout),
  })
  if (response.ok) return
  const { status } = response
  const payload = await response.json().catch(() => ({}))
  const problem = { code: 'ERROR', message: '', errors: {}, requestId: '', ...payload, status }
  reportFailure(problem)
  throw new ApiError(problem)
}
