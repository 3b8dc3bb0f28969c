import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useFormat } from '~/platform/format/use-format'
import { Prose } from '~/ui/prose'
import { sitePageQuery } from '../content.queries'
import styles from './notices.module.css'
import page from './text-page.module.css'

/** A page of the tenant's own: terms, privacy, refunds, about. */
export function SitePage({ type }: { type: string }) {
  const format = useFormat()
  const { title, body, updatedAt } = useSuspenseQuery(sitePageQuery(type)).data
  return (
    <article className={page.page}>
      <header className={styles.head}>
        <h1 className={page.title}>
          <bdi>{title}</bdi>
        </h1>
        <p className={styles.date}>
          <Trans>Last updated on {format.date(updatedAt)}</Trans>
        </p>
      </header>
      <Prose html={body} />
    </article>
  )
}
