import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ContentState } from '#contract/admin/content.ts'
import { Button } from '~/ui/button'
import { Chip } from '~/ui/chip'
import { useMay } from '../../platform/session'
import { Page } from '../../ui/page'
import type { Statuses } from '../../ui/status'
import styles from './content.module.css'

export const contentStates = {
  DRAFT: { label: msg`Draft`, tone: 'neutral' },
  SCHEDULED: { label: msg`Scheduled`, tone: 'warning' },
  SHOWN: { label: msg`Published`, tone: 'success' },
  ENDED: { label: msg`Ended`, tone: 'neutral' },
} as const satisfies Statuses<ContentState>

const kinds = ['notices', 'faq', 'pages', 'banners', 'home', 'menu'] as const

type Kind = (typeof kinds)[number]

/** Links to the lists of the other kinds of content. */
export function ContentTabs({ current }: { current: Kind }) {
  const { t } = useLingui()
  const may = useMay()
  const labels = {
    notices: t`Notices`,
    faq: t`FAQ`,
    pages: t`Pages`,
    banners: t`Banners`,
    home: t`Home page`,
    menu: t`Menu`,
  } as const
  const paths = {
    notices: '/content',
    faq: '/content/faq',
    pages: '/content/pages',
    banners: '/content/banners',
    home: '/content/home',
    menu: '/content/menu',
  } as const
  return (
    <nav className={styles.tabs} aria-label={t`Kinds of content`}>
      {kinds
        .filter((kind) => (kind !== 'home' && kind !== 'menu') || may('settings:read'))
        .map((kind) => (
          <Chip
            key={kind}
            selected={kind === current}
            render={<Link to={paths[kind]} activeOptions={{ exact: true, includeSearch: false }} />}
          >
            {labels[kind]}
          </Chip>
        ))}
    </nav>
  )
}

interface ContentListPageProps {
  kind: Exclude<Kind, 'home' | 'menu'>
  /** The text of the link that creates one. */
  create: ReactNode
  children: ReactNode
}

/** Lists one kind of content: with links to the others and, for editors, to create one. */
export function ContentListPage({ kind, create, children }: ContentListPageProps) {
  const { t } = useLingui()
  const isAllowed = useMay()('content:write')
  return (
    <Page
      title={t`Content`}
      actions={
        isAllowed && (
          <Button icon="plus" variant="primary" render={<Link to={`/content/${kind}/new`} />}>
            {create}
          </Button>
        )
      }
    >
      <ContentTabs current={kind} />
      {children}
    </Page>
  )
}
