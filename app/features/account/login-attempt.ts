import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { labels } from '~/platform/labels'

export type LoginField = 'email' | 'password'

/** A login that did not succeed: what was typed (never the password), the fields at fault, the refusal's code. */
export interface LoginAttempt {
  email: string
  fields: LoginField[]
  code: string | null
}

/** What each field wants. */
export const loginFieldMessages: Record<LoginField, MessageDescriptor> = {
  email: msg`Enter a valid email address, such as name@example.com.`,
  password: labels.enterPassword,
}

const refusals: Record<string, MessageDescriptor> = {
  LOGIN_FAILED: msg`Incorrect email or password.`,
  RATE_LIMITED: msg`Too many attempts. Wait a few minutes and try again.`,
}

/** Why a login was refused, as a sentence. */
export const loginRefusal = (code: string): MessageDescriptor =>
  refusals[code] ?? msg`We couldn’t sign you in. Try again in a moment.`
