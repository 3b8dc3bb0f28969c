import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { InquirySummary } from '#contract/support.ts'
import { useFormat } from '~/platform/format/use-format'
import { ReloadingList } from '~/platform/navigation/page-feedback'
import { Button } from '~/ui/button'
import { Chip, Chips } from '~/ui/chip'
import { EmptyState } from '~/ui/empty-state'
import { Icon } from '~/ui/icon'
import { Pagination } from '~/ui/pagination'
import { SectionHeading } from '~/ui/section-heading'
import { type InquiriesSearch, inquiriesPerPage, inquiriesQuery } from '../inquiries.functions'
import { inquiryStatuses, useTypeName } from '../inquiry-labels'
import styles from './inquiry-list.module.css'
import { InquiryStatus } from './inquiry-summary'

/** The member's inquiries by status, latest first. */
export function InquiryList({ search }: { search: InquiriesSearch }) {
  const { t, i18n } = useLingui()
  const format = useFormat()
  const { data } = useSuspenseQuery(inquiriesQuery(search))
  const hasNoInquiries = data.total === 0 && !search.status
  return (
    <>
      <SectionHeading
        level="h1"
        title={<Trans>Support</Trans>}
        count={data.total > 0 ? format.number(data.total) : undefined}
        action={
          hasNoInquiries ? undefined : (
            <Button variant="primary" icon="plus" render={<Link to="/mypages/inquiries/input" />}>
              <Trans>Contact support</Trans>
            </Button>
          )
        }
      />
      {!hasNoInquiries && (
        <Chips className={styles.filters}>
          <Chip selected={!search.status} render={<Link to="/mypages/inquiries" activeOptions={{ exact: true }} />}>
            <Trans>All</Trans>
          </Chip>
          {(['WAIT', 'COMPLETE', 'CLOSED'] as const).map((status) => (
            <Chip
              key={status}
              selected={search.status === status}
              render={<Link to="/mypages/inquiries" search={{ status }} />}
            >
              {i18n._(inquiryStatuses[status].label)}
            </Chip>
          ))}
        </Chips>
      )}
      <ReloadingList>
        {data.items.length === 0 ? (
          <EmptyState
            icon="comment"
            title={hasNoInquiries ? t`You have no inquiries yet.` : t`No matching inquiries`}
            actions={
              hasNoInquiries ? (
                <>
                  <Button variant="primary" render={<Link to="/mypages/inquiries/input" />}>
                    <Trans>Contact support</Trans>
                  </Button>
                  <Button render={<Link to="/faq" />}>
                    <Trans>FAQ</Trans>
                  </Button>
                </>
              ) : (
                <Button render={<Link to="/mypages/inquiries" />}>
                  <Trans>Show all inquiries</Trans>
                </Button>
              )
            }
          >
            {hasNoInquiries && <Trans>Your inquiries and our answers will appear here.</Trans>}
          </EmptyState>
        ) : (
          <ul className={styles.list}>
            {data.items.map((inquiry) => (
              <Row key={inquiry.code} inquiry={inquiry} />
            ))}
          </ul>
        )}
      </ReloadingList>
      <div className={styles.pages}>
        <Pagination
          page={data.page}
          pages={Math.ceil(data.total / inquiriesPerPage)}
          labels={{
            name: t`Pages`,
            previous: t`Previous page`,
            next: t`Next page`,
          }}
          linkTo={(page) => <Link to="/mypages/inquiries" search={{ ...search, page }} />}
        />
      </div>
    </>
  )
}

function Row({ inquiry }: { inquiry: InquirySummary }) {
  const format = useFormat()
  const typeName = useTypeName()
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <p className={styles.facts}>
          <time dateTime={inquiry.updatedAt}>{format.date(inquiry.updatedAt)}</time>
          <InquiryStatus inquiry={inquiry} />
        </p>
        <h2 className={styles.title}>
          <Link className={styles.link} to="/mypages/inquiries/$code" params={{ code: inquiry.code }} dir="auto">
            {inquiry.title}
          </Link>
        </h2>
        <p className={styles.facts}>
          <span>{typeName(inquiry.type)}</span>
          {inquiry.countOfReplies > 0 && (
            <span>
              <Plural value={inquiry.countOfReplies} one="# reply" other="# replies" />
            </span>
          )}
        </p>
      </div>
      <Icon name="chevron-end" size="m" className={styles.arrow} />
    </li>
  )
}
