import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useFormat } from '~/platform/format/use-format'
import { Badge } from '~/ui/badge'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { Icon } from '~/ui/icon'
import { Pagination } from '~/ui/pagination'
import { noticesQuery } from '../content.queries'
import styles from './notices.module.css'
import page from './text-page.module.css'

/** All notices, the pinned ones first. */
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
