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
          <Trans>Changed your mind? You haven’t paid yet, so you can cancel right away.</Trans>
        ) : automatic && until ? (
          <Trans>
            You can get a {format.money(amount)} refund until {format.dateTime(until)} if you haven’t opened it.
          </Trans>
        ) : automatic ? (
          <Trans>This isn’t ready yet, so you can get {format.money(amount)} back right away.</Trans>
        ) : until ? (
          <Trans>
            You can request a {format.money(amount)} refund until {format.dateTime(until)}. Our team will review your
            request.
          </Trans>
        ) : (
          <Trans>You can request a {format.money(amount)} refund. Our team will review your request.</Trans>
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
        {may === 'DEPOSIT' ? <Trans>Cancel order</Trans> : <Trans>Request a refund</Trans>}
      </Button>
    </section>
  )
}
