import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { TableJob } from '#contract/admin/table-jobs.ts'
import { tableJobsQuery } from '../features/catalog/products.queries'
import { jobTables } from '../features/catalog/table-labels'
import { useAdminApi } from '../platform/admin-api'
import { notify } from '../platform/notifications'
import { useMe } from '../platform/session'

const isEnded = ({ status }: TableJob) => status !== 'RUNNING'

/** Says on every page that an import or export which the person began has ended. */
export function TableNotices() {
  const { t, i18n } = useLingui()
  const by = `staff:${useMe().email}`
  const jobs = useQuery(tableJobsQuery(useAdminApi())).data?.items
  /** Those that had ended before. Undefined until they are known: nothing is told about them. */
  const ended = useRef<ReadonlySet<TableJob['id']>>(undefined)
  useEffect(() => {
    if (!jobs) return
    const before = ended.current
    const tell = ({ kind, status, table, file }: TableJob) => {
      const name = kind === 'EXPORT' ? i18n._(jobTables[table]) : (file ?? i18n._(jobTables[table]))
      if (status === 'DONE') {
        if (kind === 'EXPORT') notify('success', t`The export is done: ${name}`)
        if (kind === 'IMPORT') notify('success', t`The import is done: ${name}`)
        if (kind === 'UNDO') notify('success', t`The import was undone: ${name}`)
      }
      if (status === 'FAILED' || status === 'REFUSED') {
        if (kind === 'EXPORT') notify('error', t`The export failed: ${name}`)
        if (kind === 'IMPORT') notify('error', t`Nothing was imported: ${name}`)
      }
    }
    if (before) for (const job of jobs) if (job.by === by && isEnded(job) && !before.has(job.id)) tell(job)
    ended.current = new Set(jobs.filter(isEnded).map(({ id }) => id))
  }, [jobs, by, t, i18n])
  return null
}
