import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { signInRefusal } from '#contract/accounts.ts'
import { labels } from '~/platform/labels'

export type LoginField = 'email' | 'password'

/** A login that did not succeed: what was typed (never the password), the fields at fault, the refusal's code. */
export interface LoginAttempt {
  email: string
  fields: LoginField[]
  code: string | null
  /** Too many wrong passwords were tried: when to try again, and what helps meanwhile. */
  wait: z.output<typeof signInRefusal> | null
  /** A link was asked for; where the demo's mails can be read. */
  link: { mailbox: string | null } | null
}

/** What a refusal for too many tries says of itself. */
export const waitOf = (data: unknown): LoginAttempt['wait'] => z.safeParse(signInRefusal, data).data ?? null

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
