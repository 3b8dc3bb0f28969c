import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { NoticeSummary } from '#contract/content.ts'
import { useFormat } from '~/platform/format/use-format'
import { langOf } from '~/platform/i18n/locales'
import { storeText } from '~/platform/i18n/store-text'
import { Icon } from '~/ui/icon'
import { Prose } from '~/ui/prose'
import { Breadcrumbs } from '~/ui/section-heading'
import { noticeQuery } from '../content.queries'
import styles from './notices.module.css'
import page from './text-page.module.css'

/** One notice, with its files and the way to its neighbours. */
export function NoticePage({ id }: { id: string }) {
  const { t } = useLingui()
  const format = useFormat()
  const notice = useSuspenseQuery(noticeQuery(id)).data
  const { title, body, createdAt, attachments, previous, next } = notice
  return (
    <article className={page.page}>
      <header className={styles.head}>
        <Breadcrumbs label={t`Breadcrumb`}>
          {[
            <Link key="all" to="/notices">
              <Trans>Notices</Trans>
            </Link>,
          ]}
        </Breadcrumbs>
        <h1 className={page.title}>
          <bdi lang={langOf(notice, 'title')}>{title}</bdi>
        </h1>
        <time dateTime={createdAt} className={styles.date}>
          {format.date(createdAt)}
        </time>
      </header>
      <Prose html={body} lang={langOf(notice, 'body')} />
      {attachments.length > 0 && (
        <ul className={styles.files} aria-label={t`Attachments`}>
          {attachments.map((file) => (
            <li key={file.url}>
              <a href={file.url} download className={styles.file}>
                <Icon name="paperclip" size="m" />
                <span className={styles.name}>{storeText(file, 'name')}</span>
                <span className={styles.date}>{format.bytes(file.bytes)}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <nav className={styles.neighbours} aria-label={t`More notices`}>
        {previous && <Neighbour notice={previous} way="previous" />}
        {next && <Neighbour notice={next} way="next" />}
      </nav>
    </article>
  )
}

function Neighbour({ notice, way }: { notice: NoticeSummary; way: 'previous' | 'next' }) {
  return (
    <Link to="/notices/$id" params={{ id: notice.id }} className={styles.neighbour} data-way={way}>
      <span className={styles.date}>{way === 'previous' ? <Trans>Previous</Trans> : <Trans>Next</Trans>}</span>
      <span className={styles.name}>{storeText(notice, 'title')}</span>
    </Link>
  )
}
