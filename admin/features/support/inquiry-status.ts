import { msg } from '@lingui/core/macro'

/** How the statuses of inquiries are shown. */
export const inquiryStatuses = {
  WAIT: { label: msg`Awaiting answer`, tone: 'warning' },
  COMPLETE: { label: msg`Answered`, tone: 'success' },
  CLOSED: { label: msg`Closed`, tone: 'neutral' },
} as const
