import { Trans } from '@lingui/react/macro'
import type { OrderCode } from '#contract/ids.ts'
import { Button } from '~/ui/button'

/** Downloads the receipt as PDF: a plain link, it works without script. */
export function PdfLink({ code }: { code: OrderCode }) {
  return (
    <Button icon="download" render={<a href={`/mypages/order-histories/${code}/receipt.pdf`} download />}>
      <Trans>Download PDF</Trans>
    </Button>
  )
}
