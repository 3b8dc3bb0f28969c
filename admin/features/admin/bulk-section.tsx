import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { BulkJob } from '#contract/admin/bulk.ts'
import { Button } from '~/ui/button'
import { ProgressBar } from '~/ui/progress'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useWrite } from '../../platform/use-write'
import { actorName } from '../../ui/audit-text'
import { Section } from '../../ui/page'
import { Rows } from '../../ui/rows'
import { Loaded } from '../../ui/states'
import { StatusBadge } from '../../ui/status'
import { bulkJobsQuery, bulkKey, isBulkUnderWay } from './bulk.queries'
import { RetryButton } from './bulk-jobs'
import { bulkKinds, bulkStatuses } from './bulk-labels'

/** The latest ones. The page of changes of many has all of them. */
const listed = 10

function CancelButton({ job: { id, kind } }: { job: BulkJob }) {
  const { t, i18n } = useLingui()
  const { bulk } = useAdminApi().admin
  const cancel = useWrite(bulk.cancel, { done: t`Canceled`, changes: [bulkKey], notifiesFailure: true })
  return (
    <Button
      size="s"
      loading={cancel.isPending}
      aria-label={t`Cancel: ${i18n._(bulkKinds[kind])}`}
      onClick={() => cancel.send({ id })}
    >
      <Trans>Cancel</Trans>
    </Button>
  )
}

/** The changes of many that are under way, and those that have ended lately. */
export function BulkSection() {
  const { t, i18n } = useLingui()
  const { dateTime, duration, number } = useFormat()
  const jobs = useQuery(bulkJobsQuery(useAdminApi()))
  return (
    <Section
      title={<Trans>Bulk changes</Trans>}
      actions={
        <Link to="/bulk-jobs">
          <Trans>All bulk changes</Trans>
        </Link>
      }
    >
      <Loaded query={jobs}>
        {({ items }) => (
          <Rows
            empty={<Trans>Nothing yet.</Trans>}
            items={items.slice(0, listed).map((job) => {
              const { id, kind, status, done, total, secondsLeft, by, createdAt } = job
              const isOpen = isBulkUnderWay(job)
              return {
                key: id,
                title: (
                  <>
                    <Link to="/bulk-jobs/$id" params={{ id }}>
                      {i18n._(bulkKinds[kind])}
                    </Link>{' '}
                    <StatusBadge status={bulkStatuses[status]} />
                  </>
                ),
                detail: (
                  <>
                    {isOpen && <ProgressBar fraction={total > 0 ? done / total : 0} label={i18n._(bulkKinds[kind])} />}
                    {t`${number(done)} of ${number(total)}`} ·{' '}
                    {secondsLeft === null ? dateTime(createdAt) : <Trans>{duration(secondsLeft)} left</Trans>} ·{' '}
                    <bdi>{actorName(by)}</bdi>
                  </>
                ),
                end: isOpen ? <CancelButton job={job} /> : job.canRetry && <RetryButton job={job} size="s" />,
              }
            })}
          />
        )}
      </Loaded>
    </Section>
  )
}
