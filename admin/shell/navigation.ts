import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { LinkProps } from '@tanstack/react-router'
import type { Permission } from '#contract/permissions.ts'
import type { IconName } from '~/ui/icon'

export interface Area {
  to: NonNullable<LinkProps['to']>
  label: MessageDescriptor
  icon: IconName
  permission: Permission
}

/** The areas of the console in the order of the menu. Each is shown to those who may read it. */
export const areas: readonly Area[] = [
  { to: '/', label: msg`Home`, icon: 'home', permission: 'orders:read' },
  { to: '/orders', label: msg`Orders`, icon: 'receipt', permission: 'orders:read' },
]
