import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { StoreOrder } from '#contract/admin/orders.ts'
import type { Money } from '#contract/money.ts'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { Section } from '../../ui/page'
import { usePaymentCode } from '../../ui/payment-codes'
import { TextForm } from '../../ui/text-form'

interface ReturnByHandProps {
  order: StoreOrder
  amount: Money
}

/** Whether staff recorded the payment of an order. */
export const isManual = ({ payments }: StoreOrder) =>
  payments.some(({ provider, status }) => provider === 'manual' && status === 'PAID')

/** Says what staff have to return themselves, where they recorded the payment of the order. */
export function ReturnByHand({ order, amount }: ReturnByHandProps) {
  const { t } = useLingui()
  const { money } = useFormat()
  const { member } = order
  if (!isManual(order)) return null
  const who = member?.email ?? t`Account deleted`
  const shown = money(amount)
  return (
    <Notice tone="warning">
      <Trans>
        Staff recorded the payment of this order, so no provider returns the money. Return it yourself: {shown} to{' '}
        <bdi>{who}</bdi>. The member is asked for a bank account. Then transfer the money, and record the transfer under
        Deposits.
      </Trans>
    </Notice>
  )
}

/** A member's request that waits for a decision, with the buttons to decide. */
export function RefundRequest({ order }: { order: StoreOrder }) {
  const { code, refund } = order
  const { t } = useLingui()
  const { money } = useFormat()
  const api = useAdminApi()
  const textOf = usePaymentCode()
  const isAllowed = useMay()('refunds:write')
  const [isRejecting, setRejecting] = useState(false)
  const changes = [['order', code], ['orders'], ['home']]
  const accept = useWrite(() => api.admin.orders.acceptCancel({ code }), { done: t`Request approved`, changes })
  const reject = useWrite((reason: string) => api.admin.orders.rejectCancel({ code, reason }), {
    done: t`Request rejected`,
    changes,
  })
  if (!refund || refund.outcome !== null) return null
  if (refund.byStore || refund.step !== 'PENDING')
    return (
      <>
        <Notice tone={refund.failure ? 'warning' : 'info'}>
          <Trans>A refund of {money(refund.amount)} is under way.</Trans>{' '}
          {refund.failure && `${textOf(refund.failure)}.`}{' '}
          {refund.needsAccount && !isManual(order) && (
            <Trans>
              The member is asked for a bank account. If you transfer the money yourself, record the transfer under
              Deposits.
            </Trans>
          )}
        </Notice>
        <ReturnByHand order={order} amount={refund.amount} />
      </>
    )
  return (
    <Section title={<Trans>Refund request of {money(refund.amount)}</Trans>}>
      <p>
        <bdi>{refund.reason}</bdi>
      </p>
      <ReturnByHand order={order} amount={refund.amount} />
      <Refusal failure={accept.failure} />
      {isAllowed &&
        (isRejecting ? (
          <TextForm
            label={t`Reason`}
            hint={t`The member reads it.`}
            name="reason"
            rows={3}
            maxLength={500}
            write={reject}
            submit={<Trans>Reject the request</Trans>}
            variant="danger"
            onBack={() => setRejecting(false)}
            openedBy="reject-request"
          />
        ) : (
          <div className={form.buttons}>
            <Button variant="primary" loading={accept.isPending} onClick={() => accept.send(undefined)}>
              <Trans>Approve and refund</Trans>
            </Button>
            <Button id="reject-request" onClick={() => setRejecting(true)}>
              <Trans>Reject</Trans>
            </Button>
          </div>
        ))}
    </Section>
  )
}
