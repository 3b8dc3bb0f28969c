import { deleteCookie, getCookie, setCookie } from '@tanstack/react-start/server'
import type { JoinStage } from '#contract/accounts.ts'
import { cookieName, cookieOptions } from '~/platform/cookies'
import type { Visit } from '~/platform/request/visit'
import type { JoinStep } from './join-flow'

/** The join this browser has under way. */
export const joinTokenOf = (): string | undefined => getCookie(cookieName.join)

/** Keeps a join's token where no script can read it, and answers the rest. */
export function keepJoin({ token, ...step }: JoinStage, visit: Pick<Visit, 'secure'>): JoinStep {
  setCookie(cookieName.join, token, cookieOptions.join(visit.secure))
  return step
}

export const forgetJoin = (): void => deleteCookie(cookieName.join, { path: '/' })
