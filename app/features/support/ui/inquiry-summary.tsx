import { useLingui } from '@lingui/react'
import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { OrderCode } from '#contract/ids.ts'
import type { InquirySummary } from '#contract/support.ts'
import type { TextLanguages } from '#contract/translations.ts'
import { leftToRight, useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { Badge } from '~/ui/chip'
import { Icon } from '~/ui/icon'
import { Notice } from '~/ui/notice'
import { latestInquiryQuery } from '../inquiries.functions'
import { inquiryStatuses } from '../inquiry-labels'
import styles from './inquiry-form.module.css'
import inquiryListStyles from './inquiry-list.module.css'

export function InquiryStatus({ inquiry: { status } }: { inquiry: Pick<InquirySummary, 'status'> }) {
  const { i18n } = useLingui()
  const { label, tone } = inquiryStatuses[status]
  return <Badge tone={tone}>{i18n._(label)}</Badge>
}

interface Props {
  product: { code: string; title: string; languages?: TextLanguages } | null
  order: OrderCode | null | undefined
  /** Where in the video. */
  seconds: number | null | undefined
}

/** The subject of an inquiry: a product, a position in its video or an order. */
export function SubjectLine({ product, order, seconds }: Props) {
  const format = useFormat()
  if (!product && !order) return null
  const hasTime = seconds !== null && seconds !== undefined
  return (
    <ul className={styles.subject}>
      {product && (
        <li>
          <Icon name="film" size="s" />
          <Link to="/products/$code" params={{ code: product.code }}>
            {storeText(product, 'title')}
          </Link>
        </li>
      )}
      {product && hasTime && (
        <li>
          <Icon name="clock" size="s" />
          <Trans>at {format.duration(seconds)}</Trans>
        </li>
      )}
      {order && (
        <li>
          <Icon name="receipt" size="s" />
          <Link to="/mypages/order-histories/$code" params={{ code: order }}>
            <Trans>Order {leftToRight(order)}</Trans>
          </Link>
        </li>
      )}
    </ul>
  )
}

/** The latest inquiry's answer, if it is newer than `since`. */
export function LatestAnswer({ since }: { since: string }) {
  const [latest] = useSuspenseQuery(latestInquiryQuery).data.items
  if (latest?.status !== 'COMPLETE' || latest.updatedAt < since) return null
  return (
    <Notice tone="success">
      <Trans>We’ve answered your inquiry “{latest.title}”.</Trans>{' '}
      <Link className={inquiryListStyles.noticeLink} to="/mypages/inquiries/$code" params={{ code: latest.code }}>
        <Trans>Read answer</Trans>
      </Link>
    </Notice>
  )
}
