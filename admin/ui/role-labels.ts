import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { StaffRole } from '#contract/permissions.ts'

/** The names of the built-in roles. */
export const roleLabels = {
  OWNER: msg`Owner`,
  MANAGER: msg`Manager`,
  CATALOG: msg`Catalog`,
  SUPPORT: msg`Support`,
  FINANCE: msg`Finance`,
  ANALYST: msg`Analyst`,
} as const satisfies Record<StaffRole, MessageDescriptor>
