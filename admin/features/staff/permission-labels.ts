import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Permission } from '#contract/permissions.ts'

export const permissionLabels = {
  'analytics:read': msg`See analytics`,
  'audit:read': msg`See the audit log`,
  'comments:read': msg`See comments`,
  'comments:write': msg`Moderate comments`,
  'content:read': msg`See pages and banners`,
  'content:write': msg`Edit pages and banners`,
  'deposits:write': msg`Confirm deposits`,
  'inquiries:read': msg`See inquiries and cases`,
  'inquiries:write': msg`Answer inquiries, close cases`,
  'mails:read': msg`See emails`,
  'mails:write': msg`Send emails again`,
  'members:read': msg`See members`,
  'members:write': msg`Manage members`,
  'orders:read': msg`See orders`,
  'orders:write': msg`Add notes to orders`,
  'payments:write': msg`Change the payment provider`,
  'products:read': msg`See products`,
  'products:write': msg`Edit products`,
  'refunds:write': msg`Refund orders`,
  'settings:read': msg`See settings`,
  'settings:write': msg`Change settings`,
  'staff:read': msg`See staff`,
  'staff:write': msg`Manage staff and tokens`,
  'store:write': msg`Open and close the store`,
  'videos:read': msg`See videos`,
  'videos:write': msg`Upload videos`,
  'webhooks:read': msg`See webhooks`,
  'webhooks:write': msg`Manage webhooks`,
} as const satisfies Record<Permission, MessageDescriptor>
