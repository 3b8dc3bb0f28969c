import { CancelForm } from '../cancel-form'
import { OrderModal, type OrderModalProps } from './order-modal'

/** Cancels an order, or asks for money back. */
export function RequestCancelModal({ data, close }: OrderModalProps) {
  return <OrderModal data={data}>{(order) => <CancelForm key={order.code} order={order} onward={close} />}</OrderModal>
}
