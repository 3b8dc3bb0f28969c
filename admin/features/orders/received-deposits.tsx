import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { OrderCode } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { isFiltered, useColumnChoice, useSearchChange } from '../../platform/search'
import { useMay } from '../../platform/session'
import { DataList } from '../../ui/data-list'
import { AmountField, DayRange, Filters, SearchField } from '../../ui/filters'
import { ListViews } from '../../ui/list-views'
import { Paging } from '../../ui/paging'
import { Loaded } from '../../ui/states'
import { useDepositorColumns } from './depositor-columns'
import { receivedCountQuery, receivedQuery } from './deposits.queries'
import { parseDepositsSearch } from './deposits.search'
import styles from './order-page.module.css'
import { UndoDialog } from './undo-dialog'

const route = getRouteApi('/deposits')

const sources = {
  PROVIDER: msg`Payment provider`,
  STAFF: msg`Marked as paid`,
  UNAPPLIED: msg`Unapplied payment`,
} as const

/** The deposits that paid orders, latest first. */
export function ReceivedDeposits() {
  const { t, i18n } = useLingui()
  const { money, dateTime } = useFormat()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = useSearchChange(navigate)
  const choice = useColumnChoice(search, navigate)
  const depositor = useDepositorColumns()
  const mayWrite = useMay()('deposits:write')
  const [undoing, setUndoing] = useState<OrderCode>()
  const { q, from, to, min, max, columns } = search
  const showing = (parameters: Readonly<Record<string, string>>) =>
    parseDepositsSearch({ ...parameters, list: 'received' })
  const find = useCallback((q: string) => change({ q: q || undefined }), [change])
  const api = useAdminApi()
  const deposits = useQuery({ ...receivedQuery(api, search), placeholderData: keepPreviousData })
  return (
    <>
      <ListViews
        list="received-deposits"
        search={{ q, from, to, min, max, columns }}
        linkTo={(parameters) => <Link to="/deposits" activeOptions={{ exact: true }} search={showing(parameters)} />}
        onShow={(parameters) => void navigate({ search: showing(parameters) })}
      />
      <Filters folds>
        <SearchField label={t`Order number, reference, name or email`} value={search.q ?? ''} onSearch={find} />
        <DayRange from={search.from} to={search.to} onFrom={(from) => change({ from })} onTo={(to) => change({ to })} />
        <AmountField label={t`Amount from`} value={search.min} max={search.max} onChange={(min) => change({ min })} />
        <AmountField label={t`Amount to`} value={search.max} min={search.min} onChange={(max) => change({ max })} />
      </Filters>
      <Loaded query={deposits}>
        {({ items, nextCursor }) => (
          <DataList
            label={t`Received deposits`}
            choice={choice}
            items={items}
            keyOf={({ id }) => id}
            empty={
              isFiltered({ ...search, list: undefined }) ? (
                <Trans>No deposit fits these filters.</Trans>
              ) : (
                <Trans>Bank transfers that have paid an order are listed here.</Trans>
              )
            }
            columns={[
              ...depositor,
              { key: 'source', header: t`Source`, isExtra: true, cell: ({ source }) => i18n._(sources[source]) },
              {
                key: 'reference',
                header: t`Reference`,
                isExtra: true,
                cell: ({ reference }) => <bdi>{reference ?? '–'}</bdi>,
              },
              { key: 'date', header: t`Received`, cell: ({ receivedAt }) => dateTime(receivedAt) },
              { key: 'amount', header: t`Amount`, atEnd: true, cell: ({ amount }) => money(amount) },
              ...(mayWrite
                ? [
                    {
                      key: 'undo',
                      header: t`Actions`,
                      atEnd: true,
                      cell: ({ source, refunded, code }: (typeof items)[number]) =>
                        source !== 'PROVIDER' &&
                        refunded.amount === 0 && (
                          <Button size="s" className={styles.above} onClick={() => setUndoing(code)}>
                            <Trans>Undo</Trans>
                          </Button>
                        ),
                    },
                  ]
                : []),
            ]}
            paging={
              <Paging
                total={{ shown: items.length, count: receivedCountQuery(api, search) }}
                first={search.cursor && <Link to="/deposits" search={{ ...search, cursor: undefined }} />}
                next={nextCursor && <Link to="/deposits" search={{ ...search, cursor: nextCursor }} />}
              />
            }
          />
        )}
      </Loaded>
      {undoing && <UndoDialog code={undoing} onClose={() => setUndoing(undefined)} />}
    </>
  )
}
