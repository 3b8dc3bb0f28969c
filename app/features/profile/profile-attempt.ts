import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { DetailField, Details, PasswordField, ProfileForm } from './profile-fields'

/** A form of the profile that was sent without script and not taken. */
export interface ProfileAttempt {
  form: ProfileForm
  /** What was typed into the details. */
  details: Details | null
  /** The words of the refusal by field; empty where the field's own words will do. */
  errors: Partial<Record<DetailField | PasswordField, string>>
  code: string | null
}

const refusals: Record<string, MessageDescriptor> = {
  RATE_LIMITED: msg`Too many attempts. Wait a few minutes and try again.`,
}

/** Why nothing was changed, as a sentence. */
export const profileRefusal = (code: string): MessageDescriptor =>
  refusals[code] ?? msg`We couldn’t save your changes. Try again in a moment.`
