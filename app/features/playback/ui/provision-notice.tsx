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
      {price} can be refunded until {date}. That ends when you begin to watch.
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
          <Trans>Your rental begins when you press play.</Trans>
        </p>
        <p>
          <Trans>
            From that moment its days are counted, and it can no longer be refunded. You can wait with it until{' '}
            {startBy}.
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
        <Trans>Ready when you are.</Trans>
      </p>
      <p>
        {viewer.refundable ? (
          <MoneyAtStake refundable={viewer.refundable} />
        ) : (
          <Trans>What you begin to play can no longer be refunded. It stays yours to watch as often as you like.</Trans>
        )}
      </p>
    </>
  )
}
