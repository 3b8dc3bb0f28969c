import { problemFromError } from '~/platform/api/client'
import { log } from '~/platform/log'
import type { Visit } from '~/platform/request/visit'
import { deleteHostCookie } from './host-cookies'

/** Ends the visitor's session at the API, and forgets the token even when the API cannot be reached. Server only. */
export async function endSession(visit: Visit): Promise<void> {
  if (!visit.hasToken) return
  deleteHostCookie('token')
  try {
    await visit.api.accounts.logout()
  } catch (error) {
    // It had ended there before: that is what was wanted.
    if (problemFromError(error, visit.requestId)?.status === 401) return
    log('info', 'A session could not be ended at the API.', { requestId: visit.requestId, error })
  } finally {
    visit.forgetToken()
  }
}
