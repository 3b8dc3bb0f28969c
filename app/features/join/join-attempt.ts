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
  JOIN_DISABLED: msg`This store takes no new members at the moment.`,
  RATE_LIMITED: msg`Too many attempts. Wait a few minutes and try again.`,
}

/** Why a form was refused as a whole, as a sentence. */
export const joinRefusal = (code: string): MessageDescriptor =>
  refusals[code] ?? msg`Joining did not work. What you typed is still here: try again in a moment.`

/** What the page of the code says about the last thing that was tried. */
export type VerifyOutcome = 'SENT' | 'WRONG_CODE' | 'NOT_A_CODE' | 'TOO_EARLY' | 'EXPIRED' | 'FAILED'

const outcomes: Record<Exclude<VerifyOutcome, 'SENT'>, MessageDescriptor> = {
  WRONG_CODE: msg`This is not the code of the latest mail.`,
  NOT_A_CODE: msg`Enter the six digits of the mail.`,
  TOO_EARLY: msg`A code was sent a moment ago. Wait a little before you ask for another.`,
  EXPIRED: msg`This code is no longer good. Ask for another one.`,
  FAILED: msg`This did not work. Try again in a moment.`,
}
export const verifyMessage = (outcome: Exclude<VerifyOutcome, 'SENT'>): MessageDescriptor => outcomes[outcome]

/** What a refused code, or a refused wish for another, means. */
export function verifyOutcomeOf(status: number): VerifyOutcome {
  if (status === 422 || status === 400) return 'WRONG_CODE'
  if (status === 429) return 'TOO_EARLY'
  return status === 404 || status === 409 || status === 410 ? 'EXPIRED' : 'FAILED'
}
