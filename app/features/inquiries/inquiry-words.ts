import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import type { CaseStatus } from '#contract/enumerations.ts'
import type { InquiryType } from '#contract/inquiries.ts'

/** What every store can be asked about, in words. */
const usualTypes: Readonly<Record<string, MessageDescriptor>> = {
  PRODUCT: msg`A title`,
  ORDER: msg`An order or a payment`,
  ACCOUNT: msg`My account`,
  ETC: msg`Something else`,
}

/** What an inquiry is about: in the store's own words, or in ours. */
export function useTypeName(): (type: InquiryType) => string {
  const { i18n } = useLingui()
  return ({ code, name }) => {
    const words = usualTypes[code]
    return name ?? (words ? i18n._(words) : code)
  }
}

/** How an inquiry stands. */
export const inquiryStatuses = {
  WAIT: { label: msg`Waiting for an answer`, tone: 'warning' },
  COMPLETE: { label: msg`Answered`, tone: 'success' },
} as const satisfies Record<CaseStatus, { label: MessageDescriptor; tone: string }>

const unreachable = msg`The store cannot be reached. What you wrote is still here. Try again in a moment.`

const problems: Readonly<Record<string, MessageDescriptor>> = {
  INQUIRY_DISABLED: msg`This store takes no inquiries at the moment.`,
  RATE_LIMITED: msg`You have sent a lot in a short time. Wait a few minutes and try again.`,
  VALIDATION_FAILED: msg`Some of what you wrote cannot be taken. Look at the fields again.`,
  PAYLOAD_TOO_LARGE: msg`The files are too large. Each may have 10 MB.`,
  NOT_FOUND: msg`There is no such inquiry any more.`,
  UNREACHABLE: unreachable,
  TIMEOUT: unreachable,
}

/** Why an inquiry was not sent, by the code of the refusal. */
export const inquiryProblem = (code: string): MessageDescriptor =>
  problems[code] ?? msg`It could not be sent. What you wrote is still here. Try again in a moment.`

/** Everything but a surprise, and what a field is told, is told at the button. */
export const toldAtButton = [0, 400, 403, 404, 409, 413, 415, 429, 500, 502, 503, 504]
