import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import type { InquiryStatus } from '#contract/enumerations.ts'
import type { InquiryType } from '#contract/support.ts'
import { refusalMessages } from '~/platform/api/failures'
import type { RefusedForm } from '~/platform/request/form-post'

/** The names of the types that every store has. */
const defaultLabels: Readonly<Record<string, MessageDescriptor>> = {
  PRODUCT: msg`A title`,
  ORDER: msg`Orders and payments`,
  ACCOUNT: msg`My account`,
  ETC: msg`Other`,
}

/** The name of an inquiry's type: the store's own, or a usual one. */
export function useTypeName(): (type: InquiryType) => string {
  const { i18n } = useLingui()
  return ({ code, name }) => {
    const defaultLabel = defaultLabels[code]
    return name ?? (defaultLabel ? i18n._(defaultLabel) : code)
  }
}

export const inquiryStatuses = {
  WAIT: { label: msg`Awaiting answer`, tone: 'warning' },
  COMPLETE: { label: msg`Answered`, tone: 'success' },
  CLOSED: { label: msg`Closed`, tone: 'neutral' },
} as const satisfies Record<InquiryStatus, { label: MessageDescriptor; tone: string }>

/** The message of a refused inquiry, by problem code. */
export const inquiryProblem = refusalMessages({
  byCode: {
    INQUIRY_DISABLED: msg`This store isn’t accepting inquiries right now.`,
    RATE_LIMITED: msg`Too many messages. Wait a few minutes and try again.`,
    VALIDATION_FAILED: msg`Some of the details aren’t valid. Check the fields and try again.`,
    PAYLOAD_TOO_LARGE: msg`The files are too large. Each file can be up to 10 MB.`,
    NOT_FOUND: msg`This inquiry no longer exists.`,
  },
  unreachable: msg`We can’t reach the store. Your text is saved. Try again in a moment.`,
  otherwise: msg`Couldn’t send your inquiry. Your text is saved. Try again in a moment.`,
})

/** Statuses whose errors are shown beside the button. Field errors are shown at their fields. */
export const handledInline = [0, 400, 403, 404, 409, 413, 415, 429, 500, 502, 503, 504]

export const inquiryFields = ['type', 'title', 'body'] as const
export type InquiryField = (typeof inquiryFields)[number]

/**
 * The state of the page after a refused form post without JavaScript. Files must be chosen again.
 */
export interface InquiryOutcome extends RefusedForm<InquiryField> {
  values: Record<InquiryField, string>
}
