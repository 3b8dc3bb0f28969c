import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { resetRequest, signInForm, signInRefusal } from '#contract/accounts.ts'
import { checked, writeFn } from '~/platform/api/server-fn'
import { labels } from '~/platform/labels'

/** Signs in at the API. The answer still has to be registered with /api/approval. */
export const login = writeFn()
  .validator(checked(signInForm))
  .handler(({ data, context }) => context.ask((api) => api.accounts.login(data)))

/** Asks for a mail with a link to sign in on this device. The answer is the same for an e-mail nobody has. */
export const requestSignInLink = writeFn()
  .validator(checked(resetRequest))
  .handler(({ data, context }) => context.ask((api) => api.joining.requestSignInLink(data)))

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

/** The message of each invalid field. */
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
