import { Trans } from '@lingui/react/macro'
import { useLocation } from '@tanstack/react-router'
import { Outcome } from '~/ui/notice'
import styles from './payment-confirming.module.css'

/** What stands on the page while the provider has not said whether it was paid. Without script one asks again by a link. */
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
