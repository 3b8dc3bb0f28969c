import { useLingui } from '@lingui/react/macro'
import type { OrderSummary } from '#contract/orders.ts'
import { Badge } from '~/ui/badge'
import { statusWords } from '../order-words'

export function StatusBadge({ order }: { order: Pick<OrderSummary, 'status' | 'refundedAmount'> }) {
  const { i18n } = useLingui()
  const { label, tone } = statusWords(order)
  return <Badge tone={tone}>{i18n._(label)}</Badge>
}
