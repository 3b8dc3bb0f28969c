import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Notice } from '~/ui/notice'
import { latestInquiryQuery } from '../inquiries.queries'
import styles from './inquiry-list.module.css'

/** The store's answer, where the inquiry that moved last has one that came after `since`. */
export function LatestAnswer({ since }: { since: string }) {
  const [latest] = useSuspenseQuery(latestInquiryQuery).data.items
  if (latest?.status !== 'COMPLETE' || latest.updatedAt < since) return null
  return (
    <Notice tone="success">
      <Trans>We’ve answered your inquiry “{latest.title}”.</Trans>{' '}
      <Link className={styles.noticeLink} to="/mypages/inquiries/$code" params={{ code: latest.code }}>
        <Trans>Read answer</Trans>
      </Link>
    </Notice>
  )
}
