import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useFormat } from '~/platform/format/use-format'
import { langOf } from '~/platform/i18n/locales'
import { Prose } from '~/ui/prose'
import { sitePageQuery } from '../content.functions'
import styles from './notices.module.css'
import page from './text-page.module.css'

/** A page of the tenant's own: terms, privacy, refunds, about. */
export function SitePage({ type }: { type: string }) {
  const format = useFormat()
  const site = useSuspenseQuery(sitePageQuery(type)).data
  const { title, body, updatedAt } = site
  return (
    <article className={page.page}>
      <header className={styles.head}>
        <h1 className={page.title}>
          <bdi lang={langOf(site, 'title')}>{title}</bdi>
        </h1>
        <p className={styles.date}>
          <Trans>Last updated on {format.date(updatedAt)}</Trans>
        </p>
      </header>
      <Prose html={body} lang={langOf(site, 'body')} />
    </article>
  )
}
