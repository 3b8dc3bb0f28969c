import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { rootRouteId, useSearch } from '@tanstack/react-router'
import type { NoticeReason } from '~/platform/navigation/guards'
import { Notice } from '~/ui/notice'
import styles from './arrival-notice.module.css'

const reasons: Readonly<Record<NoticeReason, MessageDescriptor>> = {
  INQUIRY_DISABLED: msg`This store doesn’t accept inquiries here. You can find its contact details at the bottom of the page.`,
  JOIN_DISABLED: msg`This store isn’t accepting new members right now. If you have an account, you can still sign in.`,
  PLANS_CLOSED: msg`This store doesn’t offer plans right now.`,
  PLAN_NEEDED: msg`You need a plan to view that page. Choose from the plans below.`,
  PLAN_NOT_ON_SALE: msg`That plan is no longer available. You can choose from these plans.`,
}

const isReason = (notice = ''): notice is NoticeReason => Object.hasOwn(reasons, notice)

/** Says why one stands on this page instead of the one that was asked for. */
export function ArrivalNotice() {
  const { i18n } = useLingui()
  const { notice } = useSearch({ from: rootRouteId })
  if (!isReason(notice)) return null
  return (
    <div className={styles.arrival}>
      <Notice tone="warning">{i18n._(reasons[notice])}</Notice>
    </div>
  )
}
