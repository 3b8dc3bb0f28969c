import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import type { CommentState } from '#contract/enumerations.ts'
import type { Statuses } from '../../ui/status'

export const commentStates = {
  SHOWN: { label: msg`Published`, tone: 'success' },
  HELD: { label: msg`Held`, tone: 'warning' },
  HIDDEN: { label: msg`Hidden`, tone: 'neutral' },
  DELETED: { label: msg`Deleted by its author`, tone: 'neutral' },
} as const satisfies Statuses<CommentState>

/** Why visitors have reported a comment. */
const reasons: Readonly<Record<string, MessageDescriptor>> = {
  SPAM: msg`Spam or advertising`,
  ABUSE: msg`Offensive or abusive`,
  SPOILER: msg`Spoilers`,
  OTHER: msg`Other`,
}

/** Returns the name of a reason for a report. */
export const useReasonName = () => {
  const { i18n } = useLingui()
  return (reason: string): string => {
    const label = reasons[reason]
    return label ? i18n._(label) : reason
  }
}
