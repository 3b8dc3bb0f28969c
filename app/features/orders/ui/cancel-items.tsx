import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { Checkbox } from '~/ui/choice'
import { Notice } from '~/ui/notice'
import type { CancelItem } from '../cancel-choice'
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
