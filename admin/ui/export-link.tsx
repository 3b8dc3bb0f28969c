import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { customerBase } from '#contract/http.ts'
import { Button } from '~/ui/button'
import { useStoreCode } from '../platform/client'

interface ExportLinkProps {
  list: 'orders' | 'members' | 'subscriptions' | 'inquiries' | 'mails' | 'audit' | 'deposits' | 'movements'
  /** The filters, order and columns of the list that is shown. */
  filters: Readonly<Record<string, string | number | undefined>>
  /** What the link says, where it is not about the list alone. */
  children?: ReactNode
}

/**
 * Downloads the list that is shown, with all its pages. The browser writes the file as it comes.
 */
export function ExportLink({ list, filters, children }: ExportLinkProps) {
  const store = useStoreCode()
  const active = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const query = new URLSearchParams(active).toString()
  const href = `${customerBase(store)}/admin/${list}.csv${query && `?${query}`}`
  return <Button render={<a href={href} download />}>{children ?? <Trans>Export as CSV</Trans>}</Button>
}
