import { Trans } from '@lingui/react/macro'
import { customerBase } from '#contract/http.ts'
import { Button } from '~/ui/button'
import { useStoreCode } from '../platform/client'

interface ExportLinkProps {
  list: 'orders' | 'members' | 'subscriptions' | 'inquiries' | 'mails' | 'audit'
  /** The filters, order and columns of the list that is shown. */
  filters: Readonly<Record<string, string | undefined>>
}

/**
 * Downloads the list that is shown, with all its pages. The browser writes the file as it comes.
 */
export function ExportLink({ list, filters }: ExportLinkProps) {
  const store = useStoreCode()
  const active = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const query = new URLSearchParams(active).toString()
  const href = `${customerBase(store)}/admin/${list}.csv${query && `?${query}`}`
  return (
    <Button render={<a href={href} download />}>
      <Trans>Export as CSV</Trans>
    </Button>
  )
}
