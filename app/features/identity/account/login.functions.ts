import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { resetRequest, signInForm, signInRefusal } from '#contract/identity.ts'
import { refusalMessages } from '~/platform/api/failures'
import { labels } from '~/platform/labels'
import type { RefusedForm } from '~/platform/request/form-post'
import { checked, writeFn } from '~/platform/request/server-fn'

/** Signs in at the API. The result must be posted to /api/approval, which stores the token. */
export const login = writeFn()
  .validator(checked(signInForm))
  .handler(({ data, context }) => context.callApi((api) => api.identity.login(data)))

/** Requests a sign-in link by email. The result is the same for an unknown email. */
export const requestSignInLink = writeFn()
  .validator(checked(resetRequest))
  .handler(({ data, context }) => context.callApi((api) => api.identity.requestSignInLink(data)))

export const loginFields = ['email', 'password'] as const
export type LoginField = (typeof loginFields)[number]

/** The state of the page after a form post without JavaScript. Never contains the password. */
export interface LoginOutcome extends RefusedForm<LoginField> {
  email: string
  /** Set after too many wrong passwords: when to try again, and whether a link can be requested. */
  wait: z.output<typeof signInRefusal> | null
  /** Set when a link was requested. `mailbox` is the demo's mailbox. */
  link: { mailbox: string | null } | null
}

/** Parses the data of RATE_LIMITED after too many wrong passwords. */
export const waitOf = (data: unknown): LoginOutcome['wait'] => z.safeParse(signInRefusal, data).data ?? null

/** The message of each invalid field. */
export const loginFieldMessages: Record<LoginField, MessageDescriptor> = {
  email: msg`Enter a valid email address, such as name@example.com.`,
  password: labels.enterPassword,
}

/** The message of a refused sign-in, by problem code. */
export const loginRefusal = refusalMessages({
  byCode: {
    LOGIN_FAILED: msg`Incorrect email or password.`,
    MEMBER_BLOCKED: msg`This account is blocked. Contact our support team.`,
  },
  otherwise: msg`We couldn’t sign you in. Try again in a moment.`,
})
