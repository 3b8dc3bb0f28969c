import { msg } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ImportTable } from '#contract/admin/imports.ts'
import { type JobTable, type TableJob, type TableJobStatus, tableJobPermissions } from '#contract/admin/table-jobs.ts'
import { customerBase } from '#contract/http.ts'
import { Button } from '~/ui/button'
import { ProgressBar } from '~/ui/progress'
import { useAdminApi } from '../../platform/admin-api'
import { useStoreCode } from '../../platform/client'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { actorName } from '../../ui/audit-text'
import { ExportLink } from '../../ui/export-link'
import { Section } from '../../ui/page'
import { Rows } from '../../ui/rows'
import { Loaded } from '../../ui/states'
import { StatusBadge, type Statuses } from '../../ui/status'
import { tableJobsQuery } from './products.queries'
import { importTables, jobTables, tableJobKinds } from './table-labels'

const statuses = {
  RUNNING: { label: msg`In progress`, tone: 'info' },
  DONE: { label: msg`Done`, tone: 'success' },
  REFUSED: { label: msg`Refused`, tone: 'danger' },
  FAILED: { label: msg`Failed`, tone: 'danger' },
  CANCELLED: { label: msg`Canceled`, tone: 'warning' },
} as const satisfies Statuses<TableJobStatus>

/** The list that is exported. The tables of a catalogue have one page for all. */
const pages: Partial<Record<JobTable, LinkProps['to']>> = {
  orders: '/orders',
  movements: '/settlements',
  deposits: '/deposits',
  subscriptions: '/subscriptions',
  members: '/members',
  inquiries: '/inquiries',
  mails: '/mails',
  audit: '/audit',
  'product-list': '/products',
  comments: '/comments/all',
  'suppressed-addresses': '/suppressed-addresses',
  videos: '/videos/library',
  cases: '/cases',
  'webhook-deliveries': '/webhooks',
}

function Result({ job: { kind, status, table, rows, total, problems } }: { job: TableJob }) {
  const { t, i18n } = useLingui()
  const { number } = useFormat()
  if (status === 'RUNNING' && total !== null)
    return (
      <>
        <ProgressBar fraction={total > 0 ? rows / total : 0} label={t`Export: ${i18n._(jobTables[table])}`} />
        {t`${number(rows)} of ${number(total)}`}
      </>
    )
  if (status === 'REFUSED' && problems > 0)
    return <Plural value={problems} one="# problem: nothing was changed." other="# problems: nothing was changed." />
  if (status === 'CANCELLED' && kind !== 'EXPORT') return <Trans>Nothing was changed.</Trans>
  return <Plural value={rows} one="# row" other="# rows" />
}

function CancelButton({ job: { id, kind, table } }: { job: TableJob }) {
  const { t, i18n } = useLingui()
  const { tableJobs } = useAdminApi().admin
  const cancel = useWrite(tableJobs.cancel, {
    done: kind === 'EXPORT' ? t`Export canceled. Its file is incomplete.` : t`Import canceled. Nothing was changed.`,
    changes: [['table-jobs']],
    notifiesFailure: true,
  })
  return (
    <Button
      size="s"
      loading={cancel.isPending}
      aria-label={t`Cancel: ${i18n._(tableJobKinds[kind])}, ${i18n._(jobTables[table])}`}
      onClick={() => cancel.send({ id })}
    >
      <Trans>Cancel</Trans>
    </Button>
  )
}

const isOfCatalog = (table: JobTable): table is ImportTable => table in importTables

/** Exports a table again: one of the catalog as it is, a list with its filters and columns. */
function RetryLink({ job: { table, filters } }: { job: TableJob }) {
  const { t, i18n } = useLingui()
  const store = useStoreCode()
  const label = t`Try again: ${i18n._(jobTables[table])}`
  if (isOfCatalog(table))
    return (
      <Button
        size="s"
        render={
          <a href={`${customerBase(store)}/admin/catalog/${table}`} download={`${table}.csv`} aria-label={label} />
        }
      >
        <Trans>Try again</Trans>
      </Button>
    )
  // The audit log of an earlier release does not say which export it was.
  return (
    filters && (
      <ExportLink size="s" label={label} list={table} filters={filters}>
        <Trans>Try again</Trans>
      </ExportLink>
    )
  )
}

function Actions({ job }: { job: TableJob }) {
  const may = useMay()
  const { kind, table, status } = job
  if (!tableJobPermissions(kind, table).every(may)) return null
  if (status === 'RUNNING') return <CancelButton job={job} />
  const isBroken = kind === 'EXPORT' && (status === 'FAILED' || status === 'CANCELLED')
  return isBroken ? <RetryLink job={job} /> : null
}

/** Imports are listed with what undoes them once they are done. */
const isListedBelow = ({ kind, status }: TableJob) => kind === 'IMPORT' && status === 'DONE'

/** Imports and exports of tables that are under way, and those that have ended lately. */
export function TableJobs() {
  const { i18n } = useLingui()
  const { dateTime, duration } = useFormat()
  const jobs = useQuery(tableJobsQuery(useAdminApi()))
  return (
    <Section title={<Trans>Imports and exports</Trans>}>
      <Loaded query={jobs}>
        {({ items }) => (
          <Rows
            empty={<Trans>Nothing yet.</Trans>}
            items={items
              .filter((job) => !isListedBelow(job))
              .map((job) => {
                const { id, kind, table, file, status, secondsLeft, by, createdAt } = job
                return {
                  key: id,
                  title: (
                    <>
                      {i18n._(tableJobKinds[kind])}:{' '}
                      <Link to={pages[table] ?? '/imports'}>{i18n._(jobTables[table])}</Link>{' '}
                      {file && <bdi>{file}</bdi>} <StatusBadge status={statuses[status]} />
                    </>
                  ),
                  detail: (
                    <>
                      <Result job={job} /> ·{' '}
                      {secondsLeft === null ? dateTime(createdAt) : <Trans>{duration(secondsLeft)} left</Trans>} ·{' '}
                      <bdi>{actorName(by)}</bdi>
                    </>
                  ),
                  end: <Actions job={job} />,
                }
              })}
          />
        )}
      </Loaded>
    </Section>
  )
}
