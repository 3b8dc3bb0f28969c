import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SubscriptionEvent } from '#contract/subscriptions.ts'
import { usePaymentFailure } from '~/parts/refusal'
import { useFormat } from '~/platform/format/use-format'
import { usePaginationLabels } from '~/platform/labels'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { Pagination } from '~/ui/pagination'
import { SectionHeading } from '~/ui/section-heading'
import type { HistoriesSearch } from '../plans.search'
import { historyQuery } from '../subscription.functions'
import { endReason, eventLabels } from '../subscription-labels'
import styles from './subscription-histories.module.css'

/** The billing history, latest first. */
export function SubscriptionHistories({ search }: { search: HistoriesSearch }) {
  const { t } = useLingui()
  const format = useFormat()
  const labels = usePaginationLabels()
  const { useSubscribe } = useSiteSettings().order
  const { data } = useSuspenseQuery(historyQuery(search))
  return (
    <>
      <SectionHeading
        level="h1"
        title={<Trans>Billing history</Trans>}
        count={data.total > 0 ? format.number(data.total) : undefined}
        action={
          useSubscribe && (
            <Button size="s" variant="ghost" icon="arrow-start" render={<Link to="/mypages/subscription" />}>
              <Trans>Subscription</Trans>
            </Button>
          )
        }
      />
      {data.items.length === 0 ? (
        <EmptyState
          icon="receipt"
          title={data.total > 0 ? t`This page is empty.` : t`No billing history yet.`}
          actions={
            data.total > 0 ? (
              <Button variant="primary" render={<Link to="/mypages/subscription/histories" />}>
                <Trans>Go to the first page</Trans>
              </Button>
            ) : (
              useSubscribe && (
                <Button variant="primary" render={<Link to="/plans" />}>
                  <Trans>View plans</Trans>
                </Button>
              )
            )
          }
        >
          <Trans>Renewals, payments, and plan changes will appear here.</Trans>
        </EmptyState>
      ) : (
        <ol className={styles.list}>
          {data.items.map((event) => (
            <EventRow key={`${event.at} ${event.type}`} event={event} />
          ))}
        </ol>
      )}
      <div className={styles.pages}>
        <Pagination
          page={data.page}
          pages={Math.ceil(data.total / data.size)}
          labels={labels}
          linkTo={(page) => <Link to="/mypages/subscription/histories" search={{ page }} />}
        />
      </div>
    </>
  )
}

const warningTypes: readonly SubscriptionEvent['type'][] = ['CHARGE_FAILED', 'OVERDUE', 'ENDED']
const payments: readonly SubscriptionEvent['type'][] = ['CHARGED', 'RENEWED', 'RECOVERED', 'UPGRADED']

function EventRow({ event }: { event: SubscriptionEvent }) {
  const { i18n } = useLingui()
  const format = useFormat()
  const detail = useEventDetail()(event)
  const tone = warningTypes.includes(event.type) ? 'trouble' : payments.includes(event.type) ? 'payment' : undefined
  return (
    <li className={styles.event} data-tone={tone}>
      <p className={styles.what}>{i18n._(eventLabels[event.type])}</p>
      {event.amount && (
        <p className={styles.amount}>
          {format.money(
            event.type === 'REFUNDED' ? { ...event.amount, amount: -Math.abs(event.amount.amount) } : event.amount,
          )}
        </p>
      )}
      <p className={styles.when}>
        <time dateTime={event.at}>{format.dateTime(event.at)}</time>
        <span dir="auto">{event.planName}</span>
      </p>
      {detail && <p className={styles.detail}>{detail}</p>}
    </li>
  )
}

/** Formats the reason of a failed charge or of an end, and when a pause ends. */
function useEventDetail() {
  const { i18n, t } = useLingui()
  const format = useFormat()
  const failure = usePaymentFailure()
  return ({ type, detail }: SubscriptionEvent): string | undefined => {
    if (type === 'CHARGE_FAILED' || type === 'OVERDUE') return failure(detail)
    if (type === 'PAUSED' && detail) return t`Resumes on ${format.date(detail)}`
    const reason = type === 'ENDED' && detail ? endReason(detail) : undefined
    return reason && i18n._(reason)
  }
}
