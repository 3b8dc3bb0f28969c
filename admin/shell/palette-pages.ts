import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { LinkProps } from '@tanstack/react-router'
import type { Permission } from '#contract/permissions.ts'
import type { IconName } from '~/ui/icon'
import { settingSections } from '../features/tenancy/setting-sections'

interface SubPage {
  to: NonNullable<LinkProps['to']>
  /** The part of the page. */
  hash?: string
  /** The page of the menu that it is below. */
  area: NonNullable<LinkProps['to']>
  /** What the page and its parts are called. */
  names: readonly MessageDescriptor[]
  icon: IconName
  permission: Permission
}

/** The pages that the menu lacks. Each is found by those who may read it. */
export const pages: readonly SubPage[] = [
  {
    to: '/content',
    area: '/content',
    names: [msg`Notices`],
    icon: 'book',
    permission: 'content:read',
  },
  { to: '/content/faq', area: '/content', names: [msg`FAQ`], icon: 'book', permission: 'content:read' },
  { to: '/content/pages', area: '/content', names: [msg`Pages`], icon: 'book', permission: 'content:read' },
  { to: '/content/banners', area: '/content', names: [msg`Banners`], icon: 'book', permission: 'content:read' },
  { to: '/content/home', area: '/content', names: [msg`Home page`], icon: 'book', permission: 'content:read' },
  { to: '/content/menu', area: '/content', names: [msg`Menu`], icon: 'book', permission: 'content:read' },
  {
    to: '/settlements',
    area: '/analytics',
    names: [msg`Settlements`],
    icon: 'eye',
    permission: 'orders:read',
  },
  {
    to: '/imports',
    area: '/products',
    names: [msg`Import and export`],
    icon: 'film',
    permission: 'products:read',
  },
  { to: '/bulk-jobs', area: '/products', names: [msg`Changes of many`], icon: 'list', permission: 'products:read' },
  { to: '/videos/library', area: '/videos', names: [msg`Library`], icon: 'play', permission: 'videos:read' },
  {
    to: '/saved-replies',
    area: '/inquiries',
    names: [msg`Saved replies`],
    icon: 'bell',
    permission: 'inquiries:read',
  },
  {
    to: '/suppressed-addresses',
    area: '/mails',
    names: [msg`Suppressed addresses`],
    icon: 'transcript',
    permission: 'mails:read',
  },
  { to: '/staff/roles', area: '/staff', names: [msg`Roles`], icon: 'lock', permission: 'staff:read' },
  { to: '/staff/tokens', area: '/staff', names: [msg`Tokens`], icon: 'lock', permission: 'staff:read' },
  { to: '/store/domains', area: '/store', names: [msg`Domains`], icon: 'globe', permission: 'settings:read' },
  { to: '/store/payments', area: '/store', names: [msg`Payments`], icon: 'globe', permission: 'settings:read' },
  ...settingSections.map(
    ({ id, title, names }): SubPage => ({
      to: '/settings',
      hash: id,
      area: '/settings',
      names: [title, ...names],
      icon: 'settings',
      permission: 'settings:read',
    }),
  ),
]
