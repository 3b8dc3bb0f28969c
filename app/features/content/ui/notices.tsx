import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { NoticeSummary } from '#contract/content.ts'
import { useFormat } from '~/platform/format/use-format'
import { langOf } from '~/platform/i18n/locales'
import { storeText } from '~/platform/i18n/store-text'
import { Button } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { EmptyState } from '~/ui/empty-state'
import { Icon } from '~/ui/icon'
import { Pagination } from '~/ui/pagination'
import { Prose } from '~/ui/prose'
import { Breadcrumbs } from '~/ui/section-heading'
import { noticeQuery, noticesQuery, sitePageQuery } from '../content.functions'
import styles from './notices.module.css'
import page from './text-page.module.css'

/** All notices, pinned ones first. */
export function NoticeList({ page: number }: { page: number }) {
  const { t } = useLingui()
  const format = useFormat()
  const { items, total, size } = useSuspenseQuery(noticesQuery(number)).data
  return (
    <div className={page.page}>
      <h1 className={page.title}>
        <Trans>Notices</Trans>
      </h1>
      {items.length === 0 ? (
        <EmptyState
          icon="bell"
          title={total > 0 ? t`This page is empty.` : <Trans>No notices yet</Trans>}
          actions={
            total > 0 && (
              <Button variant="primary" render={<Link to="/notices" />}>
                {t`Go to the first page`}
              </Button>
            )
          }
        >
          {total === 0 && <Trans>News from the store will appear here.</Trans>}
        </EmptyState>
      ) : (
        <ul className={styles.list}>
          {items.map(({ id, title, pinned, createdAt, languages }) => (
            <li key={id}>
              <Link to="/notices/$id" params={{ id }} className={styles.row}>
                {pinned && (
                  <Badge tone="soft">
                    <Trans>Important</Trans>
                  </Badge>
                )}
                <span className={styles.name}>
                  <bdi lang={languages?.title}>{title}</bdi>
                </span>
                <time dateTime={createdAt} className={styles.date}>
                  {format.date(createdAt)}
                </time>
                <Icon name="chevron-end" size="m" className={styles.mark} />
              </Link>
            </li>
          ))}
        </ul>
      )}
      <Pagination
        page={number}
        pages={Math.ceil(total / size)}
        labels={{
          name: t`Pages`,
          previous: t`Previous page`,
          next: t`Next page`,
        }}
        linkTo={(to) => <Link to="/notices" search={to > 1 ? { page: to } : {}} activeOptions={{ exact: true }} />}
      />
    </div>
  )
}

/** One notice with its files and links to the previous and next one. */
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
        {previous && <Neighbour notice={previous} direction="previous" />}
        {next && <Neighbour notice={next} direction="next" />}
      </nav>
    </article>
  )
}

function Neighbour({ notice, direction }: { notice: NoticeSummary; direction: 'previous' | 'next' }) {
  return (
    <Link to="/notices/$id" params={{ id: notice.id }} className={styles.neighbour} data-way={direction}>
      <span className={styles.date}>{direction === 'previous' ? <Trans>Previous</Trans> : <Trans>Next</Trans>}</span>
      <span className={styles.name}>{storeText(notice, 'title')}</span>
    </Link>
  )
}

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
