import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ImportTable } from '#contract/admin/imports.ts'
import type { JobTable, TableJobKind } from '#contract/admin/table-jobs.ts'

/** What the tables of a catalogue are called. */
export const importTables = {
  categories: msg`Categories`,
  products: msg`Products`,
  options: msg`Options and prices`,
  lessons: msg`Lessons`,
  attachments: msg`Files`,
  plans: msg`Plans`,
  banners: msg`Banners`,
  notices: msg`Notices`,
  faq: msg`FAQ`,
  pages: msg`Pages`,
} as const satisfies Record<ImportTable, unknown>

export const tableJobKinds = {
  IMPORT: msg`Import`,
  CHECK: msg`Check before an import`,
  UNDO: msg`Undo of an import`,
  EXPORT: msg`Export`,
} as const satisfies Record<TableJobKind, MessageDescriptor>

export const jobTables: Readonly<Record<JobTable, MessageDescriptor>> = {
  ...importTables,
  orders: msg`Orders`,
  movements: msg`Payments and refunds`,
  deposits: msg`Deposits`,
  subscriptions: msg`Subscriptions`,
  members: msg`Members`,
  inquiries: msg`Inquiries`,
  mails: msg`Emails`,
  audit: msg`Audit log`,
  'product-list': msg`List of products`,
  comments: msg`Comments`,
  'suppressed-addresses': msg`Suppressed addresses`,
  videos: msg`Videos`,
  cases: msg`Cases`,
  'webhook-deliveries': msg`Webhook deliveries`,
}
