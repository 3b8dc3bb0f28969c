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
  comment: {
    heldPhrase: string | null
    /** `open`: those that staff have not decided about; without it all of them. */
    reports: readonly { reason: string; count: number; open?: number }[]
  }
  /** Whether it is held and has something that looks like a link. */
  hasLink?: boolean
}

/** Why a comment is held or was reported. */
export function CommentReasons({ comment: { heldPhrase, reports }, hasLink = false }: CommentReasonsProps) {
  const { t, i18n } = useLingui()
  if (heldPhrase === null && reports.length === 0 && !hasLink) return null
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
      {hasLink && (
        <Badge tone="warning">
          <Trans>Has a link</Trans>
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
