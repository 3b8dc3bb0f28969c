import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { Button } from '~/ui/button'
import { Select } from '~/ui/select'
import { TextField } from '~/ui/text-field'
import { statusChoices } from '../order-words'
import { type OrdersSearch, ordersSearch } from '../orders.search'
import styles from './order-histories.module.css'

/** Which orders are shown. A real form: without script its button sends it. */
export function OrderFilters({ search }: { search: OrdersSearch }) {
  const { t, i18n } = useLingui()
  const navigate = useNavigate()
  const filtered = Boolean(search.status || search.from || search.to)
  const show = (form: HTMLFormElement) => {
    const { status, from, to } = ordersSearch.parse(Object.fromEntries(new FormData(form)))
    void navigate({ to: '/mypages/order-histories', search: { status, from, to }, resetScroll: false })
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    show(event.currentTarget)
  }
  return (
    <form key={JSON.stringify(search)} method="get" className={styles.filters} onSubmit={submit}>
      <Select
        name="status"
        label={t`Status`}
        defaultValue={search.status ?? ''}
        options={[
          { value: '', label: t`All orders` },
          ...statusChoices.map(({ value, label }) => ({ value, label: i18n._(label) })),
        ]}
        onChange={({ target }) => target.form && show(target.form)}
      />
      <TextField
        type="date"
        name="from"
        label={t({ message: 'From', context: 'date' })}
        defaultValue={search.from}
        max={search.to}
      />
      <TextField
        type="date"
        name="to"
        label={t({ message: 'To', context: 'date' })}
        defaultValue={search.to}
        min={search.from}
      />
      <Button type="submit">
        <Trans>Show</Trans>
      </Button>
      {filtered && (
        <Button variant="ghost" icon="close" render={<Link to="/mypages/order-histories" resetScroll={false} />}>
          <Trans>Show all</Trans>
        </Button>
      )}
    </form>
  )
}
