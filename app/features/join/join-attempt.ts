import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { JoinField, JoinValues } from './join-fields'

/** A form that was sent without script and did not get through: what was typed (never the password), and what is wrong. */
export interface JoinAttempt {
  values: JoinValues
  /** The words of the refusal by field; empty where the field's own words will do. */
  errors: Partial<Record<JoinField, string>>
  code: string | null
}

const refusals: Record<string, MessageDescriptor> = {
  JOIN_DISABLED: msg`This store isn’t accepting new members right now.`,
  RATE_LIMITED: msg`Too many attempts. Wait a few minutes and try again.`,
}

/** Why a form was refused as a whole, as a sentence. */
export const joinRefusal = (code: string): MessageDescriptor =>
  refusals[code] ?? msg`We couldn’t create your account. Your details are saved. Try again in a moment.`

/** What the page of the code says about the last thing that was tried. */
export type VerifyOutcome = 'SENT' | 'WRONG_CODE' | 'NOT_A_CODE' | 'TOO_EARLY' | 'EXPIRED' | 'FAILED'

const outcomes: Record<Exclude<VerifyOutcome, 'SENT'>, MessageDescriptor> = {
  WRONG_CODE: msg`That’s not the code from our latest email.`,
  NOT_A_CODE: msg`Enter the 6-digit code from the email.`,
  TOO_EARLY: msg`We just sent a code. Wait a moment before requesting another.`,
  EXPIRED: msg`This code is no longer valid. Request a new one.`,
  FAILED: msg`Something went wrong. Try again in a moment.`,
}
export const verifyMessage = (outcome: Exclude<VerifyOutcome, 'SENT'>): MessageDescriptor => outcomes[outcome]

/** What a refused code, or a refused wish for another, means. */
export function verifyOutcomeOf(status: number): VerifyOutcome {
  if (status === 422 || status === 400) return 'WRONG_CODE'
  if (status === 429) return 'TOO_EARLY'
  return status === 404 || status === 409 || status === 410 ? 'EXPIRED' : 'FAILED'
}
