import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Order } from '#contract/orders.ts'
import { useFormat } from '~/platform/format/use-format'
import { Button } from '~/ui/button'
import { Card, DescriptionList } from '~/ui/card'
import styles from './order-detail.module.css'
import { PdfLink } from './pdf-link'

/** What was paid in short, and the way to the receipt. */
export function ReceiptCard({ order }: { order: Order }) {
  const { t } = useLingui()
  const format = useFormat()
  const card = order.payment?.card
  const method = card
    ? t`${card.issuer}, ending in ${card.lastFour}`
    : order.method === 'BANK'
      ? t`Bank transfer`
      : null
  const rows = [
    { key: 'paid', term: t`Payment date`, value: order.paidAt ? format.dateTime(order.paidAt) : '' },
    ...(method ? [{ key: 'method', term: t`Payment method`, value: method }] : []),
    { key: 'total', term: t`Total (taxes included)`, value: format.money(order.total) },
    ...(order.refundedAmount.amount > 0
      ? [
          {
            key: 'refunded',
            term: t`Refunded`,
            value: format.money({ ...order.refundedAmount, amount: -order.refundedAmount.amount }),
          },
        ]
      : []),
  ]
  return (
    <Card>
      <h2 className={styles.heading}>
        <Trans>Receipt</Trans>
      </h2>
      <DescriptionList rows={rows} amounts />
      <p className={styles.receiptActions}>
        <Button
          icon="receipt"
          render={<Link to="/mypages/order-histories/$code/receipt" params={{ code: order.code }} />}
        >
          <Trans>View receipt</Trans>
        </Button>
        <PdfLink code={order.code} />
      </p>
    </Card>
  )
}
