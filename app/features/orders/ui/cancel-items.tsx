import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { OrderItemId } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'
import type { Order } from '#contract/orders.ts'
import { useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { Checkbox } from '~/ui/choice'
import { Notice } from '~/ui/notice'
import styles from './order-forms.module.css'

interface Props {
  items: readonly CancelItem[]
  chosen: ReadonlySet<OrderItemId>
  onChosen: (chosen: ReadonlySet<OrderItemId>) => void
  error: ReactNode
}

/** The items to refund. Items that cannot be refunded show the reason. */
export function CancelItems({ items, chosen, onChosen, error }: Props) {
  const format = useFormat()
  const { t } = useLingui()
  const hint = ({ item, refund }: CancelItem) => {
    if (item.refunded) return t`Already refunded`
    if (refund === 'REVIEW') return t`You’ve opened this, so our team will review the request.`
    if (refund === 'NOT_REFUNDABLE') return t`No longer refundable`
    return t`Not opened`
  }
  const choose = (id: OrderItemId, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(id)
    else next.delete(id)
    onChosen(next)
  }
  return (
    <fieldset className={styles.items}>
      <legend className={styles.legend}>
        <Trans>Items to refund</Trans>
      </legend>
      {items.map((item) => (
        <Checkbox
          key={item.item.id}
          name="itemIds"
          value={item.item.id}
          label={
            <Trans>
              {storeText(item.item.product, 'title')}{' '}
              <span className={styles.itemPrice}>{format.money(leftOf(item.item))}</span>
            </Trans>
          }
          hint={hint(item)}
          checked={item.refund !== 'NOT_REFUNDABLE' && chosen.has(item.item.id)}
          disabled={item.refund === 'NOT_REFUNDABLE'}
          onChange={({ target }) => choose(item.item.id, target.checked)}
        />
      ))}
      {error && (
        <Notice tone="danger" urgent>
          {error}
        </Notice>
      )}
    </fieldset>
  )
}

type Item = Order['items'][number]

/** What is not refunded of an item's price. */
const leftOf = ({ price, refundedAmount }: Item): Money => ({ ...price, amount: price.amount - refundedAmount.amount })

/** An item of an order and how it can be refunded. */
export interface CancelItem {
  item: Item
  /**
   * AUTOMATIC: not opened yet. REVIEW: opened, so the store decides. NOT_REFUNDABLE: no longer
   * possible.
   */
  refund: 'AUTOMATIC' | 'REVIEW' | 'NOT_REFUNDABLE'
}

/** Which items of an order can be refunded, and how. */
export const cancelItems = ({ items, cancel }: Order): CancelItem[] =>
  items.map((item) => {
    if (cancel.reviewItemIds.includes(item.id)) return { item, refund: 'REVIEW' }
    return { item, refund: cancel.itemIds.includes(item.id) ? 'AUTOMATIC' : 'NOT_REFUNDABLE' }
  })

interface CancelChoice {
  itemIds: OrderItemId[]
  amount: Money
  /** Whether the refund is automatic. Otherwise an operator decides. */
  automatic: boolean
}

/** The refund amount of the chosen items, and whether it is automatic. */
export function calculateRefund(order: Order, chosen: ReadonlySet<OrderItemId>): CancelChoice {
  const picked = cancelItems(order).filter(({ item, refund }) => refund !== 'NOT_REFUNDABLE' && chosen.has(item.id))
  return {
    itemIds: picked.map(({ item }) => item.id),
    amount: { ...order.total, amount: picked.reduce((sum, { item }) => sum + leftOf(item).amount, 0) },
    automatic:
      picked.every(({ refund }) => refund === 'AUTOMATIC') &&
      (order.cancel.automatic || (picked.length > 0 && picked.every(({ item }) => !item.product.ready))),
  }
}
