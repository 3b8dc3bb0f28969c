import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** What came of a form of the reset page that was sent without script. */
export type ResetAttempt =
  | { did: 'ASKED'; email: string; mailbox: string | null }
  | { did: 'NOTHING'; email: string; fault: 'email' | 'password' | null; words: string | null; code: string | null }

export const resetFieldMessages: Record<'email' | 'password', MessageDescriptor> = {
  email: msg`Enter a valid email address, such as name@example.com.`,
  password: msg`Use at least 8 characters.`,
}

const refusals: Record<string, MessageDescriptor> = {
  RATE_LIMITED: msg`Too many attempts. Wait a few minutes and try again.`,
}

/** Why nothing was sent or changed, as a sentence. */
export const resetRefusal = (code: string): MessageDescriptor =>
  refusals[code] ?? msg`Something went wrong. Try again in a moment.`

/** Whether a refusal means that the access key opens nothing any more. */
export const isKeyInvalid = (status: number): boolean => status === 404 || status === 409 || status === 410
