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
  email: msg`Enter an e-mail address, such as name@example.com.`,
  password: labels.enterPassword,
}

const refusals: Record<string, MessageDescriptor> = {
  LOGIN_FAILED: msg`The e-mail address or the password is not right.`,
  RATE_LIMITED: msg`There were too many attempts. Wait a few minutes, then try again.`,
}

/** Why a login was refused, as a sentence. */
export const loginRefusal = (code: string): MessageDescriptor =>
  refusals[code] ?? msg`Signing in did not work. Try again in a moment.`
