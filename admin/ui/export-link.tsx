import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { ImportTable } from '#contract/admin/imports.ts'
import type { JobTable } from '#contract/admin/table-jobs.ts'
import { customerBase } from '#contract/http.ts'
import { Button } from '~/ui/button'
import { useStoreCode } from '../platform/client'

interface ExportLinkProps {
  list: Exclude<JobTable, ImportTable>
  /** The filters, order and columns of the list that is shown. */
  filters: Readonly<Record<string, string | number | boolean | undefined>>
  /** What the link says, where it is not about the list alone. */
  children?: ReactNode
  size?: 's'
  /** The accessible name, where several links say the same. */
  label?: string
}

/**
 * Downloads the list that is shown, with all its pages. The browser writes the file as it comes.
 */
export function ExportLink({ list, filters, children, size, label }: ExportLinkProps) {
  const store = useStoreCode()
  const active = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const query = new URLSearchParams(active).toString()
  const href = `${customerBase(store)}/admin/${list}.csv${query && `?${query}`}`
  return (
    <Button size={size} render={<a href={href} download aria-label={label} />}>
      {children ?? <Trans>Export as CSV</Trans>}
    </Button>
  )
}
