import type { JoinStage } from '#contract/accounts.ts'
import { cookieOptions } from '~/platform/cookies'
import type { RequestContext } from '~/platform/request/request-context'
import { deleteHostCookie, readHostCookie, writeHostCookie } from '~/platform/session/server-session'
import type { JoinStep } from './join-flow'

/** The join this browser has under way. */
export const joinTokenOf = (): string | undefined => readHostCookie('join')

/** Keeps a join's token where no script can read it, and answers the rest. */
export function keepJoin({ token, ...step }: JoinStage, requestContext: Pick<RequestContext, 'secure'>): JoinStep {
  writeHostCookie('join', token, cookieOptions.join(requestContext.secure))
  return step
}

export const forgetJoin = (): void => deleteHostCookie('join')
