import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import type { Order } from '#contract/orders.ts'
import { useFormat } from '~/platform/format/use-format'
import { openModal } from '~/platform/modals/modal-events'
import { Button } from '~/ui/button'
import { Icon } from '~/ui/icon'
import styles from './order-detail.module.css'

/** What can be sent back, in money and until when, with the way to do it. Without script the form stands on the page. */
export function CancelOffer({ order }: { order: Order }) {
  const format = useFormat()
  const { may, amount, automatic, until } = order.cancel
  if (may !== 'REFUND' && may !== 'DEPOSIT') return null
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    openModal('orderRequestCancel', { code: order.code })
  }
  return (
    <section className={styles.offer}>
      <Icon name="retry" size="m" />
      <p>
        {may === 'DEPOSIT' ? (
          <Trans>Changed your mind? Nothing has been paid yet, so it can be cancelled at once.</Trans>
        ) : automatic && until ? (
          <Trans>
            {format.money(amount)} back until {format.dateTime(until)}, as long as you have not opened it.
          </Trans>
        ) : until ? (
          <Trans>
            You can ask for {format.money(amount)} back until {format.dateTime(until)}. A person at the store decides.
          </Trans>
        ) : (
          <Trans>You can ask for {format.money(amount)} back. A person at the store decides.</Trans>
        )}
      </p>
      <Button
        size="s"
        render={
          <Link
            to="/mypages/order-histories/$code"
            params={{ code: order.code }}
            search={{ ask: true }}
            hash="cancel"
            onClick={open}
          />
        }
      >
        {may === 'DEPOSIT' ? <Trans>Cancel the order</Trans> : <Trans>Ask for a refund</Trans>}
      </Button>
    </section>
  )
}
