import { Trans, useLingui } from '@lingui/react/macro'
import type { OrderCode } from '#contract/ids.ts'
import type { Order, OrderSummary } from '#contract/orders.ts'
import { Refusal } from '~/parts/refusal'
import { useFormat } from '~/platform/format/use-format'
import { Button } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { Notice } from '~/ui/notice'
import { orderProblem, statusLabel } from '../order-labels'

export function StatusBadge({ order }: { order: Pick<OrderSummary, 'status' | 'refundedAmount' | 'complimentary'> }) {
  const { i18n } = useLingui()
  const { label, tone } = statusLabel(order)
  return <Badge tone={tone}>{i18n._(label)}</Badge>
}

/** Why a request failed. */
export function OrderProblem({ code }: { code: string | undefined }) {
  if (!code) return null
  return (
    <Notice tone="danger" urgent>
      <Refusal code={code} message={orderProblem(code)} />
    </Notice>
  )
}

/**
 * An order without an account to pay into: a card payment in place of the transfer has failed, or
 * the transfer was reversed. The order is still open.
 */
export function PaymentIncomplete({ order }: { order: Order }) {
  if (order.payment?.method === 'BANK')
    return <Trans>Your order is awaiting payment again. Its earlier account number is closed.</Trans>
  return order.payment?.status === 'FAILED' ? (
    <Trans>Your card payment didn’t go through. Your order is still open.</Trans>
  ) : (
    <Trans>Your card payment isn’t complete. Your order is still open.</Trans>
  )
}

/** An unapplied payment, which will be refunded. */
export function UnappliedPayment({ order, className }: { order: Order; className?: string | undefined }) {
  const format = useFormat()
  if (!order.unapplied) return null
  return (
    <Notice tone="warning" className={className}>
      <Trans>
        We received {format.money(order.unapplied)} but couldn’t accept it because the amount was different or the
        deadline had passed. We’ll refund it.
      </Trans>
    </Notice>
  )
}

/** Downloads the receipt as PDF: a plain link, it works without script. */
export function PdfLink({ code }: { code: OrderCode }) {
  return (
    <Button icon="download" render={<a href={`/mypages/order-histories/${code}/receipt.pdf`} download />}>
      <Trans>Download PDF</Trans>
    </Button>
  )
}
