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
  chosen: ReadonlySet<string>
  onChosen: (chosen: ReadonlySet<string>) => void
  error: ReactNode
}

/** Which items go back. What cannot, stands there with the reason. */
export function CancelItems({ items, chosen, onChosen, error }: Props) {
  const format = useFormat()
  const { t } = useLingui()
  const hint = ({ item, way }: CancelItem) => {
    if (item.refunded) return t`Already refunded`
    if (way === 'ADMIN') return t`You’ve opened this, so our team will review the request.`
    if (way === 'STAYS') return t`No longer refundable`
    return t`Not opened`
  }
  const choose = (id: string, on: boolean) => {
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
      {items.map((one) => (
        <Checkbox
          key={one.item.id}
          name="itemIds"
          value={one.item.id}
          label={
            <Trans>
              {storeText(one.item.product, 'title')}{' '}
              <span className={styles.itemPrice}>{format.money(one.item.price)}</span>
            </Trans>
          }
          hint={hint(one)}
          checked={one.way !== 'STAYS' && chosen.has(one.item.id)}
          disabled={one.way === 'STAYS'}
          onChange={({ target }) => choose(one.item.id, target.checked)}
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

/** An item of an order, as far as it can go back. */
export interface CancelItem {
  item: Item
  /** GOES: it was not opened. DESK: it was, so a person decides. STAYS: it cannot go back (any more). */
  way: 'GOES' | 'ADMIN' | 'STAYS'
}

/** What of an order can go back, and how. */
export const cancelItems = ({ items, cancel }: Order): CancelItem[] =>
  items.map((item) => {
    if (cancel.reviewItemIds.includes(item.id)) return { item, way: 'ADMIN' }
    return { item, way: cancel.itemIds.includes(item.id) ? 'GOES' : 'STAYS' }
  })

interface CancelChoice {
  itemIds: OrderItemId[]
  amount: Money
  /** The money goes back at once; otherwise an operator decides. */
  automatic: boolean
}

/** What a choice of items is worth, and who decides about it. */
export function calculateRefund(order: Order, chosen: ReadonlySet<string>): CancelChoice {
  const picked = cancelItems(order).filter(({ item, way }) => way !== 'STAYS' && chosen.has(item.id))
  return {
    itemIds: picked.map(({ item }) => item.id),
    amount: { ...order.total, amount: picked.reduce((sum, { item }) => sum + item.price.amount, 0) },
    automatic:
      picked.every(({ way }) => way === 'GOES') &&
      (order.cancel.automatic || (picked.length > 0 && picked.every(({ item }) => !item.product.ready))),
  }
}
