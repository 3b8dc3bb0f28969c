import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useRef } from 'react'
import { dateFieldFormat, firstDayOfWeek } from '~/platform/constants'
import { Button } from '~/ui/button'
import { DateField } from '~/ui/date-field'
import { Select } from '~/ui/select'
import { statusChoices } from '../order-words'
import { type OrdersSearch, ordersSearch } from '../orders.search'
import styles from './order-histories.module.css'

/** Which orders are shown. A real form: without script its button sends it. */
export function OrderFilters({ search }: { search: OrdersSearch }) {
  const { t, i18n } = useLingui()
  const navigate = useNavigate()
  const filtered = Boolean(search.status || search.from || search.to)
  const form = useRef<HTMLFormElement>(null)
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
      outside: t`The start date must be before the end date.`,
    },
  }
  return (
    <form ref={form} method="get" className={styles.filters} onSubmit={submit}>
      <Select
        key={search.status}
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
