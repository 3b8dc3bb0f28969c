import { Trans } from '@lingui/react/macro'
import type { ViewerState } from '#contract/catalog.ts'
import { useFormat } from '~/platform/format/use-format'
import styles from './provision-notice.module.css'

/** What can still come back, in money, and what ends it. */
function MoneyAtStake({ refundable: { amount, until } }: { refundable: NonNullable<ViewerState['refundable']> }) {
  const format = useFormat()
  const price = format.money(amount)
  const date = format.dateTime(until)
  return (
    <Trans>
      You can get a {price} refund until {date}. Watching ends your right to a refund.
    </Trans>
  )
}

export function ProvisionNotice({ viewer }: { viewer: ViewerState }) {
  const format = useFormat()
  if (viewer.source === 'RENT' && viewer.startBy) {
    const startBy = format.date(viewer.startBy)
    return (
      <>
        <p className={styles.title}>
          <Trans>Your rental starts when you press play.</Trans>
        </p>
        <p>
          <Trans>
            Your rental period starts then, and it can no longer be refunded. You can start any time until {startBy}.
          </Trans>
        </p>
        {viewer.refundable && (
          <p>
            <MoneyAtStake refundable={viewer.refundable} />
          </p>
        )}
      </>
    )
  }
  return (
    <>
      <p className={styles.title}>
        <Trans>Ready to watch</Trans>
      </p>
      <p>
        {viewer.refundable ? (
          <MoneyAtStake refundable={viewer.refundable} />
        ) : (
          <Trans>Once you start watching, this title can’t be refunded. You can watch it as often as you like.</Trans>
        )}
      </p>
    </>
  )
}
