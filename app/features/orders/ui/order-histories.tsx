import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useRef } from 'react'
import { dateFieldFormat, firstDayOfWeek } from '~/platform/constants'
import { useFormat } from '~/platform/format/use-format'
import { laterAttribute } from '~/platform/hydration-boundary'
import { ReloadingList } from '~/platform/navigation/page-feedback'
import { Button } from '~/ui/button'
import { DateField } from '~/ui/date-field'
import { EmptyState } from '~/ui/empty-state'
import { useShownValue } from '~/ui/field'
import { Pagination } from '~/ui/pagination'
import { SectionHeading } from '~/ui/section-heading'
import { Select } from '~/ui/select'
import { statusChoices } from '../order-labels'
import { type OrdersSearch, ordersPerPage, ordersQuery, ordersSearch } from '../orders.functions'
import styles from './order-histories.module.css'
import { OrderRow } from './order-row'

/** Which orders are shown. A real form: without script its button sends it. */
function OrderFilters({ search }: { search: OrdersSearch }) {
  const { t, i18n } = useLingui()
  const navigate = useNavigate()
  const filtered = Boolean(search.status || search.from || search.to)
  const form = useRef<HTMLFormElement>(null)
  const status = useShownValue<HTMLSelectElement>(search.status ?? '')
  const show = (form: HTMLFormElement, chosen: Partial<Record<'from' | 'to', string>> = {}) => {
    const { status, from, to } = ordersSearch.parse({ ...Object.fromEntries(new FormData(form)), ...chosen })
    void navigate({ to: '/mypages/order-histories', search: { status, from, to }, resetScroll: false })
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    show(event.currentTarget)
  }
  const dates = {
    format: dateFieldFormat,
    firstDay: firstDayOfWeek,
    labels: {
      format: t({
        message: 'mm/dd/yy',
        comment: 'Month, day and year of two digits, in this order: how a date is typed',
      }),
      open: t`Choose a date`,
      previousMonth: t`Previous month`,
      nextMonth: t`Next month`,
      clear: t`Clear date`,
      unreadable: t`Enter the date as month/day/year, such as 03/25/26.`,
      outOfRange: t`The start date must be before the end date.`,
    },
  }
  return (
    <form ref={form} method="get" className={styles.filters} onSubmit={submit} {...laterAttribute}>
      <Select
        ref={status}
        name="status"
        label={t`Status`}
        defaultValue={search.status ?? ''}
        options={[
          { value: '', label: t`All orders` },
          ...statusChoices.map(({ value, label }) => ({ value, label: i18n._(label) })),
        ]}
        onChange={({ target }) => target.form && show(target.form)}
      />
      <DateField
        {...dates}
        name="from"
        label={t({ message: 'From', context: 'date' })}
        value={search.from}
        max={search.to}
        onChoose={(from) => form.current && show(form.current, { from })}
      />
      <DateField
        {...dates}
        name="to"
        label={t({ message: 'To', context: 'date' })}
        value={search.to}
        min={search.from}
        onChoose={(to) => form.current && show(form.current, { to })}
      />
      <Button type="submit">
        <Trans>Apply</Trans>
      </Button>
      {filtered && (
        <Button variant="ghost" icon="close" render={<Link to="/mypages/order-histories" resetScroll={false} />}>
          <Trans>Show all</Trans>
        </Button>
      )}
    </form>
  )
}

/** All orders, latest first, by status and by day. */
export function OrderHistories({ search }: { search: OrdersSearch }) {
  const { t } = useLingui()
  const format = useFormat()
  const { data } = useSuspenseQuery(ordersQuery(search))
  const filtered = Boolean(search.status || search.from || search.to)
  return (
    <>
      <SectionHeading
        level="h1"
        title={<Trans>Orders</Trans>}
        count={data.total > 0 ? format.number(data.total) : undefined}
      />
      {(filtered || data.total > 0) && <OrderFilters search={search} />}
      <ReloadingList>
        {data.items.length === 0 ? (
          <EmptyState
            icon="receipt"
            title={filtered || data.total > 0 ? t`No matching orders` : t`You have no orders yet.`}
            actions={
              filtered || data.total > 0 ? (
                <Button render={<Link to="/mypages/order-histories" />}>
                  <Trans>Show all orders</Trans>
                </Button>
              ) : (
                <Button variant="primary" render={<Link to="/products" />}>
                  <Trans>Browse the store</Trans>
                </Button>
              )
            }
          >
            {filtered ? (
              <Trans>Try a different status or date range.</Trans>
            ) : (
              <Trans>Your orders and receipts will appear here.</Trans>
            )}
          </EmptyState>
        ) : (
          <ul className={styles.list}>
            {data.items.map((order) => (
              <OrderRow key={order.code} order={order} />
            ))}
          </ul>
        )}
      </ReloadingList>
      <div className={styles.pages}>
        <Pagination
          page={data.page}
          pages={Math.ceil(data.total / ordersPerPage)}
          labels={{
            name: t`Pages`,
            previous: t`Previous page`,
            next: t`Next page`,
          }}
          linkTo={(page) => <Link to="/mypages/order-histories" search={{ ...search, page }} />}
        />
      </div>
    </>
  )
}
