import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { rootRouteId, useSearch } from '@tanstack/react-router'
import type { AwayReason } from '~/platform/navigation/sent-away'
import { Notice } from '~/ui/notice'
import styles from './arrival-notice.module.css'

const reasons: Readonly<Record<AwayReason, MessageDescriptor>> = {
  INQUIRY_DISABLED: msg`This store takes no inquiries here. Its address stands at the foot of the page.`,
  JOIN_DISABLED: msg`This store takes no new members at the moment. Who has an account signs in as always.`,
  PLANS_CLOSED: msg`This store has no plans at the moment.`,
  PLAN_NEEDED: msg`You need a plan to see that page. These are the plans of this store.`,
  PLAN_NOT_ON_SALE: msg`That plan is no longer on sale. These are the plans you can choose.`,
}

const isReason = (notice = ''): notice is AwayReason => Object.hasOwn(reasons, notice)

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
