import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { BulkJob } from '#contract/admin/bulk.ts'
import { Button } from '~/ui/button'
import { DescriptionList } from '~/ui/card'
import { Notice } from '~/ui/notice'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useWrite } from '../../platform/use-write'
import { DataList } from '../../ui/data-list'
import { History } from '../../ui/history'
import { LoadedPage, Page, Section } from '../../ui/page'
import { Rows } from '../../ui/rows'
import { Loaded } from '../../ui/states'
import { StatusBadge } from '../../ui/status'
import { bulkJobQuery, bulkJobsQuery, bulkKey, isBulkUnderWay } from './bulk.queries'
import { bulkKinds, bulkReason, bulkStatuses } from './bulk-labels'

const route = getRouteApi('/bulk-jobs/$id')

/** The changes of everything that fitted filters, the latest first. */
export function BulkJobs() {
  const { t, i18n } = useLingui()
  const { dateTime, number } = useFormat()
  const jobs = useQuery(bulkJobsQuery(useAdminApi()))
  return (
    <Page title={t`Bulk changes`}>
      <Loaded query={jobs}>
        {({ items }) => (
          <DataList
            label={t`Bulk changes`}
            items={items}
            keyOf={({ id }) => id}
            empty={<Trans>What is changed for all that fit the filters of a list is listed here for 30 days.</Trans>}
            columns={[
              {
                key: 'kind',
                header: t`Change`,
                cell: ({ id, kind, undoOf, retryOf }) => (
                  <Link to="/bulk-jobs/$id" params={{ id }}>
                    {i18n._(bulkKinds[kind])}
                    {undoOf && (
                      <>
                        {' '}
                        (<Trans>undo</Trans>)
                      </>
                    )}
                    {retryOf && (
                      <>
                        {' '}
                        (<Trans>tried again</Trans>)
                      </>
                    )}
                  </Link>
                ),
              },
              { key: 'status', header: t`Status`, cell: ({ status }) => <StatusBadge status={bulkStatuses[status]} /> },
              { key: 'by', header: t`Actor`, isExtra: true, cell: ({ by }) => <bdi>{by}</bdi> },
              { key: 'date', header: t`Date`, isExtra: true, cell: ({ createdAt }) => dateTime(createdAt) },
              {
                key: 'done',
                header: t`Progress`,
                atEnd: true,
                cell: ({ done, total }) => t`${number(done)} of ${number(total)}`,
              },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}

/** Makes the same change of what failed in a job, and shows the job that does. */
export function RetryButton({ job: { id, kind }, ...size }: { job: BulkJob; size?: 's' }) {
  const { t, i18n } = useLingui()
  const { bulk } = useAdminApi().admin
  const navigate = useNavigate()
  const retry = useWrite(bulk.retry, {
    changes: [bulkKey],
    onDone: (job) => void navigate({ to: '/bulk-jobs/$id', params: { id: job.id } }),
    notifiesFailure: true,
  })
  return (
    <Button
      {...size}
      loading={retry.isPending}
      aria-label={size.size && t`Try the failed ones again: ${i18n._(bulkKinds[kind])}`}
      onClick={() => retry.send({ id })}
    >
      <Trans>Try the failed ones again</Trans>
    </Button>
  )
}

function Actions({ job }: { job: BulkJob }) {
  const { id, canUndo, canRetry, finishedAt } = job
  const { t } = useLingui()
  const { bulk } = useAdminApi().admin
  const navigate = route.useNavigate()
  const cancel = useWrite(bulk.cancel, { done: t`Canceled`, changes: [bulkKey], notifiesFailure: true })
  const undo = useWrite(bulk.undo, {
    changes: [bulkKey],
    onDone: (job) => void navigate({ to: '/bulk-jobs/$id', params: { id: job.id } }),
    notifiesFailure: true,
  })
  return (
    <>
      {finishedAt === null && (
        <Button loading={cancel.isPending} onClick={() => cancel.send({ id })}>
          <Trans>Cancel</Trans>
        </Button>
      )}
      {canRetry && <RetryButton job={job} />}
      {canUndo && (
        <Button loading={undo.isPending} onClick={() => undo.send({ id })}>
          <Trans>Undo</Trans>
        </Button>
      )}
    </>
  )
}

/** One change of many: its progress, and what could not be changed. */
export function BulkJobPage() {
  const { t, i18n } = useLingui()
  const { dateTime, duration, number } = useFormat()
  const { id } = route.useParams()
  const report = useQuery(bulkJobQuery(useAdminApi(), id))
  return (
    <LoadedPage title={t`Bulk change`} query={report}>
      {({ job, history, failures }) => (
        <Page
          title={i18n._(bulkKinds[job.kind])}
          actions={
            <>
              <Button render={<Link to="/bulk-jobs" />}>
                <Trans>All bulk changes</Trans>
              </Button>
              <Actions job={job} />
            </>
          }
        >
          <Section title={<Trans>Progress</Trans>}>
            <DescriptionList
              rows={[
                { key: 'status', term: t`Status`, value: <StatusBadge status={bulkStatuses[job.status]} /> },
                { key: 'progress', term: t`Progress`, value: t`${number(job.done)} of ${number(job.total)}` },
                ...(job.secondsLeft === null
                  ? []
                  : [{ key: 'left', term: t`Time left`, value: duration(job.secondsLeft) }]),
                { key: 'changed', term: t`Changed`, value: number(job.changed) },
                { key: 'by', term: t`Actor`, value: <bdi>{job.by}</bdi> },
                ...(job.retryOf === null
                  ? []
                  : [
                      {
                        key: 'retry',
                        term: t`Tries again`,
                        value: (
                          <Link to="/bulk-jobs/$id" params={{ id: job.retryOf }}>
                            <Trans>What failed in the change before</Trans>
                          </Link>
                        ),
                      },
                    ]),
                { key: 'date', term: t`Date`, value: dateTime(job.createdAt) },
              ]}
            />
            {isBulkUnderWay(job) && (
              <p>
                <Trans>It goes on when you leave this page, and you are told when it is done.</Trans>
              </p>
            )}
          </Section>
          {job.failed > 0 && (
            <Section title={<Trans>Not changed</Trans>}>
              <Notice tone="warning">
                <Plural value={job.failed} one="# could not be changed." other="# could not be changed." />
              </Notice>
              <Rows
                items={failures.map(({ key, email, reason }) => ({
                  key,
                  title: <bdi>{email ?? key}</bdi>,
                  detail: i18n._(bulkReason(reason)),
                }))}
              />
            </Section>
          )}
          <History entries={history} />
        </Page>
      )}
    </LoadedPage>
  )
}
