import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Badge } from '~/ui/chip'
import styles from './comment-queue.module.css'

/** Why visitors have reported a comment. */
const reasons: Readonly<Record<string, MessageDescriptor>> = {
  SPAM: msg`Spam or advertising`,
  ABUSE: msg`Offensive or abusive`,
  SPOILER: msg`Spoilers`,
  OTHER: msg`Other`,
}

interface CommentReasonsProps {
  heldPhrase: string | null
  /** `open`: those that staff have not decided about; without it all of them. */
  reports: readonly { reason: string; count: number; open?: number }[]
}

/** Why a comment is held or was reported. */
export function CommentReasons({ heldPhrase, reports }: CommentReasonsProps) {
  const { t, i18n } = useLingui()
  if (heldPhrase === null && reports.length === 0) return null
  const nameOf = (reason: string) => {
    const label = reasons[reason]
    return label ? i18n._(label) : reason
  }
  return (
    <p className={styles.reports}>
      {heldPhrase !== null && (
        <Badge tone="warning">
          <Trans>
            Blocked word: <bdi>{heldPhrase}</bdi>
          </Trans>
        </Badge>
      )}
      {reports.map(({ reason, count, open = count }) => (
        <Badge key={reason} tone={open > 0 ? 'warning' : 'neutral'}>
          {t`${nameOf(reason)}: ${count}`}
        </Badge>
      ))}
    </p>
  )
}
