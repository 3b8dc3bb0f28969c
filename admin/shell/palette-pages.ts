import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { LinkProps } from '@tanstack/react-router'
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
}

/** The pages that the menu lacks. Each is found by those who may read it. */
export const pages: readonly SubPage[] = [
  {
    to: '/content',
    area: '/content',
    names: [msg`Notices`],
    icon: 'book',
  },
  { to: '/content/faq', area: '/content', names: [msg`FAQ`], icon: 'book' },
  { to: '/content/pages', area: '/content', names: [msg`Pages`], icon: 'book' },
  { to: '/content/banners', area: '/content', names: [msg`Banners`], icon: 'book' },
  { to: '/content/home', area: '/content', names: [msg`Home page`], icon: 'book' },
  { to: '/content/menu', area: '/content', names: [msg`Menu`], icon: 'book' },
  {
    to: '/settlements',
    area: '/analytics',
    names: [msg`Settlements`],
    icon: 'eye',
  },
  {
    to: '/imports',
    area: '/products',
    names: [msg`Import and export`],
    icon: 'film',
  },
  { to: '/bulk-jobs', area: '/products', names: [msg`Bulk changes`], icon: 'list' },
  { to: '/videos/library', area: '/videos', names: [msg`Library`], icon: 'play' },
  {
    to: '/saved-replies',
    area: '/inquiries',
    names: [msg`Saved replies`],
    icon: 'bell',
  },
  { to: '/inquiry-topics', area: '/inquiries', names: [msg`Topics of inquiries`], icon: 'list' },
  {
    to: '/suppressed-addresses',
    area: '/mails',
    names: [msg`Suppressed addresses`],
    icon: 'transcript',
  },
  { to: '/staff/roles', area: '/staff', names: [msg`Roles`], icon: 'lock' },
  { to: '/staff/tokens', area: '/staff', names: [msg`Tokens`], icon: 'lock' },
  { to: '/store/domains', area: '/store', names: [msg`Domains`], icon: 'globe' },
  { to: '/store/payments', area: '/store', names: [msg`Payments`], icon: 'globe' },
  { to: '/store/mail-server', area: '/store', names: [msg`Mail server`], icon: 'globe' },
  ...settingSections.map(
    ({ id, title, names }): SubPage => ({
      to: '/settings',
      hash: id,
      area: '/settings',
      names: [title, ...names],
      icon: 'settings',
    }),
  ),
]
