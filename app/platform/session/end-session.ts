import { problemFromError } from '~/platform/api/client'
import { log } from '~/platform/log'
import type { RequestContext } from '~/platform/request/request-context'
import { deleteHostCookie } from './host-cookies'

/** Ends the visitor's session at the API, and forgets the token even when the API cannot be reached. Server only. */
export async function endSession(requestContext: RequestContext): Promise<void> {
  if (!requestContext.hasToken) return
  deleteHostCookie('token')
  try {
    await requestContext.api.accounts.logout()
  } catch (error) {
    // It had ended there before: that is what was wanted.
    if (problemFromError(error, requestContext.requestId)?.status === 401) return
    log('info', 'A session could not be ended at the API.', { requestId: requestContext.requestId, error })
  } finally {
    requestContext.forgetToken()
  }
}
