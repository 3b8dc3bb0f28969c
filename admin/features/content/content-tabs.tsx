import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Chip } from '~/ui/chip'
import styles from './content.module.css'

const kinds = ['notices', 'faq', 'pages', 'banners'] as const

/** Links to the lists of the other kinds of content. */
export function ContentTabs({ current }: { current: (typeof kinds)[number] }) {
  const { t } = useLingui()
  const labels = { notices: t`Notices`, faq: t`FAQ`, pages: t`Pages`, banners: t`Banners` } as const
  const paths = {
    notices: '/content',
    faq: '/content/faq',
    pages: '/content/pages',
    banners: '/content/banners',
  } as const
  return (
    <nav className={styles.tabs} aria-label={t`Kinds of content`}>
      {kinds.map((kind) => (
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
