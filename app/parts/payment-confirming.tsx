import { Trans } from '@lingui/react/macro'
import { useLocation } from '@tanstack/react-router'
import { Outcome } from '~/ui/notice'
import styles from './payment-confirming.module.css'

/** Shown until the provider confirms the payment. Without JavaScript a link reloads the page. */
export function PaymentConfirming() {
  const { href } = useLocation()
  return (
    <Outcome
      mark="waiting"
      title={<Trans>Confirming your payment…</Trans>}
      note={
        <noscript>
          <a className={styles.link} href={href}>
            <Trans>Check again</Trans>
          </a>
        </noscript>
      }
    >
      <Trans>This takes a few seconds. Keep this page open.</Trans>
    </Outcome>
  )
}

/** The page of a payment's result while it loads. */
export function PaymentPending() {
  return (
    <div className={styles.page} aria-busy>
      <PaymentConfirming />
    </div>
  )
}
