import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { StoreOrder } from '#contract/admin/orders.ts'
import { useFormat } from '../../platform/format'
import { Section } from '../../ui/page'
import { usePaymentCode } from '../../ui/payment-codes'
import { Timeline } from '../../ui/timeline'

type EventType = StoreOrder['timeline'][number]['type']

const events = {
  PLACED: msg`Order placed`,
  PAYMENT_STARTED: msg`Payment started`,
  PAID: msg`Paid`,
  FAILED: msg`Payment failed`,
  DEPOSIT_ISSUED: msg`Account for the deposit issued`,
  DEPOSIT_REVERSED: msg`Deposit reversed`,
  METHOD_CHANGED: msg`Payment method changed`,
  CANCEL_REQUESTED: msg`Refund requested by the member`,
  CANCEL_WITHDRAWN: msg`Refund request withdrawn`,
  CANCEL_REJECTED: msg`Refund request rejected`,
  CANCEL_ACCEPTED: msg`Refund request approved`,
  REFUND_BY_STORE: msg`Refund by the store`,
  REFUND_FAILED: msg`Refund failed`,
  PARTLY_REFUNDED: msg`Partly refunded`,
  UNAPPLIED_PAYMENT: msg`Payment that could not be applied`,
  UNAPPLIED_PAYMENT_REFUNDED: msg`Unapplied payment refunded`,
  UNAPPLIED_PAYMENT_APPLIED: msg`Unapplied payment used for an order`,
  REFUNDED: msg`Refunded`,
  CANCELLED: msg`Canceled`,
} as const satisfies Record<EventType, MessageDescriptor>

/** Events whose detail is a code. That of others is what somebody has written. */
const withCodes: readonly EventType[] = [
  'FAILED',
  'CANCELLED',
  'CANCEL_ACCEPTED',
  'UNAPPLIED_PAYMENT',
  'DEPOSIT_REVERSED',
  'REFUND_FAILED',
]

/** Events whose amount has left the store. */
const outgoing: readonly EventType[] = [
  'DEPOSIT_REVERSED',
  'PARTLY_REFUNDED',
  'REFUNDED',
  'UNAPPLIED_PAYMENT_APPLIED',
  'UNAPPLIED_PAYMENT_REFUNDED',
]

/** Events before a refund, which names the amount itself. */
const beforeRefund: readonly EventType[] = ['CANCEL_REQUESTED', 'CANCEL_ACCEPTED', 'REFUND_BY_STORE']

/** Every movement of an order's money, latest first, with the provider's references. */
export function MoneyTimeline({ order: { timeline, payments } }: { order: StoreOrder }) {
  const { i18n } = useLingui()
  const { money } = useFormat()
  const textOf = usePaymentCode()
  const references = payments.flatMap(({ provider, providerRef }) =>
    providerRef ? [`${provider} ${providerRef}`] : [],
  )
  return (
    <Section title={<Trans>Payment timeline</Trans>}>
      <Timeline
        entries={timeline.toReversed().map(({ at, type, amount, detail }, position) => ({
          key: `${at} ${type} ${position}`,
          at,
          title: i18n._(events[type]),
          detail: detail && withCodes.includes(type) ? textOf(detail) : detail,
          end:
            amount &&
            !beforeRefund.includes(type) &&
            money(outgoing.includes(type) ? { ...amount, amount: -amount.amount } : amount),
        }))}
      />
      {references.length > 0 && (
        <p>
          <Trans>Payment reference: {references.join(', ')}</Trans>
        </p>
      )}
    </Section>
  )
}
