import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { OrderStatus } from '#contract/enumerations.ts'
import type { OrderSummary } from '#contract/orders.ts'
import { type ModalName, openModal } from '~/platform/modals/modal-events'
import { Button } from '~/ui/button'
import { ScriptOnly } from '~/ui/visibility'

interface Action {
  modal: ModalName
  words: ReactNode
}

const actions: Partial<Record<OrderStatus, Action>> = {
  DEPOSIT_WAITING: { modal: 'orderBankInfo', words: <Trans>View bank details</Trans> },
  PAYMENT_FAIL: { modal: 'orderFailedInfo', words: <Trans>View details</Trans> },
  CANCEL_REQUEST: { modal: 'orderCancelInfo', words: <Trans>Refund details</Trans> },
  CANCEL_COMPLETE: { modal: 'orderCancelInfo', words: <Trans>Refund details</Trans> },
}

/** What an order's status asks to be told about, without leaving the list. Its page says the same without script. */
export function OrderRowAction({ order, className }: { order: OrderSummary; className: string | undefined }) {
  const action = order.status ? actions[order.status] : undefined
  if (!action) return null
  const nothingCameBack = order.status === 'CANCEL_COMPLETE' && order.refundedAmount.amount === 0
  return (
    <ScriptOnly>
      <Button size="s" className={className} onClick={() => openModal(action.modal, { code: order.code })}>
        {nothingCameBack ? <Trans>View details</Trans> : action.words}
      </Button>
    </ScriptOnly>
  )
}
