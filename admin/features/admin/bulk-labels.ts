import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { BulkJobStatus, BulkKind } from '#contract/admin/bulk.ts'
import type { Statuses } from '../../ui/status'

export const bulkKinds: Readonly<Record<BulkKind, MessageDescriptor>> = {
  PRODUCTS: msg`Products changed`,
  MEMBER_TAGS: msg`Tags of members changed`,
  PARTNERSHIPS: msg`Partnerships changed`,
  INQUIRIES: msg`Inquiries assigned`,
  MAILS: msg`Emails sent again`,
}

export const bulkStatuses = {
  QUEUED: { label: msg`Queued`, tone: 'info' },
  RUNNING: { label: msg`In progress`, tone: 'info' },
  DONE: { label: msg`Done`, tone: 'success' },
  CANCELLED: { label: msg`Canceled`, tone: 'warning' },
  REFUSED: { label: msg`Permission lost`, tone: 'danger' },
} as const satisfies Statuses<BulkJobStatus>

const reasons = new Map<string, MessageDescriptor>([
  ['NOT_FOUND', msg`It no longer exists.`],
  ['NOT_READY', msg`There is nothing to watch or download yet.`],
  ['VERSION_CONFLICT', msg`Somebody changed it again meanwhile.`],
  ['TOO_MANY', msg`A member has at most 30 tags.`],
  ['DISCOUNT_ENDED', msg`The discount has ended already.`],
  ['TOO_MANY_PRICES', msg`It would have more than 20 scheduled prices.`],
  ['TOO_MANY_TAGS', msg`A product has at most 50 tags.`],
  ['EXPIRED', msg`Its code or link has expired.`],
])

/** Why an object could not be changed. */
export const bulkReason = (reason: string): MessageDescriptor => reasons.get(reason) ?? msg`The change does not fit it.`
