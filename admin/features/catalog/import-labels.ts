import { msg } from '@lingui/core/macro'
import type { ImportTable } from '#contract/admin/imports.ts'

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
