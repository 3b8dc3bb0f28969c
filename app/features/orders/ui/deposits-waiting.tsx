import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useFormat } from '~/platform/format/use-format'
import { Notice } from '~/ui/notice'
import { waitingDepositsQuery } from '../orders.queries'
import styles from './order-histories.module.css'

/** The orders that wait for a transfer, the latest few; none is nothing. */
export function DepositsWaiting() {
  const format = useFormat()
  const { data } = useSuspenseQuery(waitingDepositsQuery)
  return data.items.map(({ code, title, total }) => (
    <Notice key={code} tone="warning">
      <Trans>
        “{title}” is awaiting your transfer of {format.money(total)}.
      </Trans>{' '}
      <Link className={styles.noticeLink} to="/mypages/order-histories/$code" params={{ code }}>
        <Trans>View bank details</Trans>
      </Link>
    </Notice>
  ))
}
