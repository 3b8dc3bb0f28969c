import { RefundState } from '../refund-state'
import { OrderModal, type OrderModalProps } from './order-modal'

/** What was given back, when and how; or why not. */
export function CancelInfoModal({ data }: OrderModalProps) {
  return <OrderModal data={data}>{(order) => <RefundState order={order} />}</OrderModal>
}
