import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { orderStatus, orderWay } from '#contract/enumerations.ts'
import { Button } from '~/ui/button'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { lazyPart } from '../../platform/lazy-part'
import { isFiltered, useColumnChoice, useSearchChange } from '../../platform/search'
import { useMay } from '../../platform/session'
import { DataList } from '../../ui/data-list'
import { ExportLink } from '../../ui/export-link'
import { AmountField, ChoiceField, DayRange, Filters, SearchField } from '../../ui/filters'
import { ListViews } from '../../ui/list-views'
import { orderStatuses, orderWays, recordedMethods } from '../../ui/order-labels'
import { Page } from '../../ui/page'
import { Paging } from '../../ui/paging'
import { Loaded } from '../../ui/states'
import { statusChoices } from '../../ui/status'
import { ProductFilter } from '../catalog/product-filter'
import { OrderStatus } from './order-status'
import { ordersCountQuery, ordersQuery } from './orders.queries'
import { parseOrdersSearch } from './orders.search'

// Loaded when it is opened.
const NewOrderDialog = lazyPart(async () => ({ default: (await import('../identity/new-order')).NewOrderDialog }))

const route = getRouteApi('/orders')

function OrderFilters() {
  const { t, i18n } = useLingui()
  const search = route.useSearch()
  const change = useSearchChange(route.useNavigate())
  const find = useCallback((q: string) => change({ q: q || undefined }), [change])
  return (
    <Filters folds>
      <SearchField label={t`Order number, name or email`} value={search.q ?? ''} onSearch={find} />
      <ChoiceField
        label={t`Status`}
        value={search.status}
        choices={statusChoices(i18n, orderStatus.options, orderStatuses)}
        onChange={(status) => change({ status })}
      />
      <ChoiceField
        label={t`Way of payment`}
        value={search.way}
        choices={orderWay.options.map((value) => ({ value, label: i18n._(orderWays[value]) }))}
        onChange={(way) => change({ way })}
      />
      <ProductFilter value={search.product} onChange={(product) => change({ product })} />
      <AmountField label={t`Total from`} value={search.min} max={search.max} onChange={(min) => change({ min })} />
      <AmountField label={t`Total to`} value={search.max} min={search.min} onChange={(max) => change({ max })} />
      <DayRange from={search.from} to={search.to} onFrom={(from) => change({ from })} onTo={(to) => change({ to })} />
      <ChoiceField
        label={t`Sort by`}
        isSort
        all={t`Newest first`}
        value={search.sort}
        choices={[
          { value: 'OLDEST', label: t`Oldest first` },
          { value: 'TOTAL', label: t`Highest total first` },
        ]}
        onChange={(sort) => change({ sort })}
      />
      {search.memberId && (
        <Button variant="outline" iconEnd="close" onClick={() => change({ memberId: undefined })}>
          <Trans>One member</Trans>
        </Button>
      )}
    </Filters>
  )
}

/** The orders of the store, latest first. */
export function OrderList() {
  const { t, i18n } = useLingui()
  const { money, date, dateTime } = useFormat()
  const may = useMay()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const choice = useColumnChoice(search, navigate)
  const { cursor: _, ...view } = search
  const [isNew, setIsNew] = useState(false)
  const api = useAdminApi()
  const orders = useQuery({ ...ordersQuery(api, search), placeholderData: keepPreviousData })
  return (
    <Page
      title={t`Orders`}
      actions={
        <>
          {may('orders:write') && <ExportLink list="orders" filters={view} />}
          {may('members:read') && (may('orders:write') || may('deposits:write')) && (
            <Button icon="plus" variant="primary" onClick={() => setIsNew(true)}>
              <Trans>New order</Trans>
            </Button>
          )}
        </>
      }
    >
      <ListViews
        list="orders"
        search={view}
        linkTo={(parameters) => (
          <Link to="/orders" activeOptions={{ exact: true }} search={parseOrdersSearch(parameters)} />
        )}
        onShow={(parameters) => void navigate({ search: parseOrdersSearch(parameters) })}
      />
      <OrderFilters />
      <Loaded query={orders}>
        {({ items, nextCursor }) => (
          <DataList
            label={t`Orders`}
            choice={choice}
            items={items}
            keyOf={({ code }) => code}
            empty={
              isFiltered(search) ? (
                <Trans>No order fits these filters.</Trans>
              ) : (
                <Trans>What members buy is listed here.</Trans>
              )
            }
            columns={[
              {
                key: 'code',
                header: t`Order`,
                cell: ({ code }) => (
                  <Link to="/orders/$code" params={{ code }}>
                    {code}
                  </Link>
                ),
              },
              {
                key: 'status',
                header: t`Status`,
                cell: (order) => <OrderStatus order={order} />,
              },
              {
                key: 'member',
                header: t`Member`,
                cell: ({ member }) => <bdi>{member?.email ?? t`Account deleted`}</bdi>,
              },
              { key: 'titles', header: t`Titles`, isWide: true, cell: ({ titles }) => <bdi>{titles.join(', ')}</bdi> },
              { key: 'date', header: t`Date`, cell: ({ createdAt }) => dateTime(createdAt) },
              {
                key: 'way',
                header: t`Way of payment`,
                isOptional: true,
                cell: ({ way, recordedAs }) => i18n._(recordedAs ? recordedMethods[recordedAs] : orderWays[way]),
              },
              {
                key: 'provider',
                header: t`Provider`,
                isOptional: true,
                cell: ({ provider }) => (provider === 'manual' ? t`Received by staff` : (provider ?? '–')),
              },
              {
                key: 'reference',
                header: t`Reference`,
                isOptional: true,
                cell: ({ reference }) => <bdi>{reference ?? '–'}</bdi>,
              },
              {
                key: 'paid',
                header: t`Paid on`,
                isOptional: true,
                cell: ({ paidAt }) => (paidAt ? date(paidAt) : '–'),
              },
              {
                key: 'refunded',
                header: t`Refunded`,
                isOptional: true,
                atEnd: true,
                cell: ({ refunded }) => money(refunded),
              },
              { key: 'total', header: t`Total`, atEnd: true, cell: ({ total }) => money(total) },
            ]}
            paging={
              <Paging
                total={{ shown: items.length, count: ordersCountQuery(api, search) }}
                first={search.cursor && <Link to="/orders" search={{ ...search, cursor: undefined }} />}
                next={nextCursor && <Link to="/orders" search={{ ...search, cursor: nextCursor }} />}
              />
            }
          />
        )}
      </Loaded>
      {isNew && <NewOrderDialog onClose={() => setIsNew(false)} />}
    </Page>
  )
}
