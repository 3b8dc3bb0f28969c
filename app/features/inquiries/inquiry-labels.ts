import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import type { CaseStatus } from '#contract/enumerations.ts'
import type { InquiryType } from '#contract/inquiries.ts'

/** What every store can be asked about, in words. */
const usualTypes: Readonly<Record<string, MessageDescriptor>> = {
  PRODUCT: msg`A title`,
  ORDER: msg`Orders and payments`,
  ACCOUNT: msg`My account`,
  ETC: msg`Other`,
}

/** What an inquiry is about: in the store's own words, or in ours. */
export function useTypeName(): (type: InquiryType) => string {
  const { i18n } = useLingui()
  return ({ code, name }) => {
    const words = usualTypes[code]
    return name ?? (words ? i18n._(words) : code)
  }
}

/** Labels of an inquiry's status. */
export const inquiryStatuses = {
  WAIT: { label: msg`Awaiting answer`, tone: 'warning' },
  COMPLETE: { label: msg`Answered`, tone: 'success' },
} as const satisfies Record<CaseStatus, { label: MessageDescriptor; tone: string }>

const unreachable = msg`We can’t reach the store. Your text is saved. Try again in a moment.`

const problems: Readonly<Record<string, MessageDescriptor>> = {
  INQUIRY_DISABLED: msg`This store isn’t accepting inquiries right now.`,
  RATE_LIMITED: msg`Too many messages. Wait a few minutes and try again.`,
  VALIDATION_FAILED: msg`Some of the details aren’t valid. Check the fields and try again.`,
  PAYLOAD_TOO_LARGE: msg`The files are too large. Each file can be up to 10 MB.`,
  NOT_FOUND: msg`This inquiry no longer exists.`,
  UNREACHABLE: unreachable,
  TIMEOUT: unreachable,
}

/** Why an inquiry was not sent, by the code of the refusal. */
export const inquiryProblem = (code: string): MessageDescriptor =>
  problems[code] ?? msg`Couldn’t send your inquiry. Your text is saved. Try again in a moment.`

/** Statuses whose errors are shown beside the button. Field errors are shown at their fields. */
export const handledInline = [0, 400, 403, 404, 409, 413, 415, 429, 500, 502, 503, 504]

export type InquiryField = 'type' | 'title' | 'body'

/** An inquiry's form that was sent without script and refused: what was written, and why. Files have to be chosen again. */
export interface InquiryAttempt {
  values: Record<InquiryField, string>
  /** Fields left empty. */
  fields: InquiryField[]
  code: string | null
}
