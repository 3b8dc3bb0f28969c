import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import {
  type JobTable,
  type TableJob,
  type TableJobKind,
  type TableJobStatus,
  tableJobPermissions,
} from '#contract/admin/table-jobs.ts'
import { customerBase } from '#contract/http.ts'
import { Button } from '~/ui/button'
import { useAdminApi } from '../../platform/admin-api'
import { useStoreCode } from '../../platform/client'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { actorName } from '../../ui/audit-text'
import { Section } from '../../ui/page'
import { Rows } from '../../ui/rows'
import { Loaded } from '../../ui/states'
import { StatusBadge, type Statuses } from '../../ui/status'
import { importTables } from './past-imports'
import { tableJobsQuery } from './products.queries'

const kinds = {
  IMPORT: msg`Import`,
  CHECK: msg`Check before an import`,
  UNDO: msg`Undo of an import`,
  EXPORT: msg`Export`,
} as const satisfies Record<TableJobKind, MessageDescriptor>

const statuses = {
  RUNNING: { label: msg`In progress`, tone: 'info' },
  DONE: { label: msg`Done`, tone: 'success' },
  REFUSED: { label: msg`Refused`, tone: 'danger' },
  FAILED: { label: msg`Failed`, tone: 'danger' },
  CANCELLED: { label: msg`Canceled`, tone: 'warning' },
} as const satisfies Statuses<TableJobStatus>

const tables: Readonly<Record<JobTable, MessageDescriptor>> = {
  ...importTables,
  orders: msg`Orders`,
  movements: msg`Payments and refunds`,
  deposits: msg`Deposits`,
  subscriptions: msg`Subscriptions`,
  members: msg`Members`,
  inquiries: msg`Inquiries`,
  mails: msg`Emails`,
  audit: msg`Audit log`,
}

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
}

function Result({ job: { kind, status, rows, problems } }: { job: TableJob }) {
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
      aria-label={t`Cancel: ${i18n._(kinds[kind])}, ${i18n._(tables[table])}`}
      onClick={() => cancel.send({ id })}
    >
      <Trans>Cancel</Trans>
    </Button>
  )
}

/** Exports a table of the catalog again. A list has filters, so it is exported on its page. */
function RetryLink({ job: { table } }: { job: TableJob }) {
  const { t, i18n } = useLingui()
  const store = useStoreCode()
  return (
    <Button
      size="s"
      aria-label={t`Try again: ${i18n._(tables[table])}`}
      render={<a href={`${customerBase(store)}/admin/catalog/${table}`} download={`${table}.csv`} />}
    >
      <Trans>Try again</Trans>
    </Button>
  )
}

function Actions({ job }: { job: TableJob }) {
  const may = useMay()
  const { kind, table, status } = job
  if (!tableJobPermissions(kind, table).every(may)) return null
  if (status === 'RUNNING') return <CancelButton job={job} />
  const isBroken = kind === 'EXPORT' && (status === 'FAILED' || status === 'CANCELLED')
  return isBroken && table in importTables ? <RetryLink job={job} /> : null
}

/** Imports are listed with what undoes them once they are done. */
const isListedBelow = ({ kind, status }: TableJob) => kind === 'IMPORT' && status === 'DONE'

/** Imports and exports of tables that are under way, and those that have ended lately. */
export function TableJobs() {
  const { i18n } = useLingui()
  const { dateTime } = useFormat()
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
                const { id, kind, table, file, status, by, createdAt } = job
                return {
                  key: id,
                  title: (
                    <>
                      {i18n._(kinds[kind])}: <Link to={pages[table] ?? '/imports'}>{i18n._(tables[table])}</Link>{' '}
                      {file && <bdi>{file}</bdi>} <StatusBadge status={statuses[status]} />
                    </>
                  ),
                  detail: (
                    <>
                      <Result job={job} /> · {dateTime(createdAt)} · <bdi>{actorName(by)}</bdi>
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
