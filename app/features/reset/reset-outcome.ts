import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { refusalMessages } from '~/platform/api/failures'
import type { RefusedForm } from '~/platform/request/form-post'

export const resetFields = ['email', 'password'] as const
export type ResetField = (typeof resetFields)[number]

/** The state of the page after a form post without JavaScript. */
export interface ResetOutcome extends RefusedForm<ResetField> {
  email: string
  /** Set when the email was requested. `mailbox` is the demo's mailbox. */
  requested: { mailbox: string | null } | null
}

export const resetFieldMessages: Record<ResetField, MessageDescriptor> = {
  email: msg`Enter a valid email address, such as name@example.com.`,
  password: msg`Use at least 8 characters.`,
}

/** The message of a refused form, by problem code. */
export const resetRefusal = refusalMessages({ otherwise: msg`Something went wrong. Try again in a moment.` })

/** Whether a refusal's status means that the access key is invalid, used or expired. */
export const isKeyInvalid = (status: number): boolean => status === 404 || status === 409 || status === 410
