import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { JobTable, TableJob, TableJobKind, TableJobStatus } from '#contract/admin/table-jobs.ts'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
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

function Result({ job: { status, rows, problems } }: { job: TableJob }) {
  if (status === 'REFUSED' && problems > 0)
    return <Plural value={problems} one="# problem: nothing was changed." other="# problems: nothing was changed." />
  return <Plural value={rows} one="# row" other="# rows" />
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
                }
              })}
          />
        )}
      </Loaded>
    </Section>
  )
}
