import { Trans } from '@lingui/react/macro'
import type { ViewerState } from '#contract/catalog.ts'
import { useFormat } from '~/platform/format/use-format'
import styles from './provision-notice.module.css'

/** The first play of something bought begins its provision: the person must know before, not after. */
export function needsNotice(viewer: ViewerState | null): boolean {
  if (!viewer?.entitled) return false
  return viewer.source === 'RENT' ? viewer.startBy !== null : viewer.source === 'OWN' && viewer.progress === null
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
      </>
    )
  }
  return (
    <>
      <p className={styles.title}>
        <Trans>Ready when you are.</Trans>
      </p>
      <p>
        <Trans>What you begin to play can no longer be refunded. It stays yours to watch as often as you like.</Trans>
      </p>
    </>
  )
}
