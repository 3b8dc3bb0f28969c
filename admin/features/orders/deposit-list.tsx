import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { OrderCode } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { Chip } from '~/ui/chip'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { lazyPart } from '../../platform/lazy-part'
import { useColumnChoice, useSearchChange } from '../../platform/search'
import { useMay } from '../../platform/session'
import { DataList } from '../../ui/data-list'
import { ExportLink } from '../../ui/export-link'
import { Filters, SearchField } from '../../ui/filters'
import { ListViews } from '../../ui/list-views'
import { Page } from '../../ui/page'
import { Paging } from '../../ui/paging'
import { Loaded } from '../../ui/states'
import { useDepositorColumns } from './depositor-columns'
import { depositsCountQuery, depositsQuery } from './deposits.queries'
import { parseDepositsSearch } from './deposits.search'
import { MoneyToReturnSections } from './money-to-return'
import styles from './order-page.module.css'
import { ReceiveDialog } from './receive-dialog'

const route = getRouteApi('/deposits')

// The page shows either list.
const ReceivedDeposits = lazyPart(async () => ({ default: (await import('./received-deposits')).ReceivedDeposits }))

/** Orders that wait for a bank transfer, and money that no order takes. */
function ExpectedDeposits() {
  const { t } = useLingui()
  const { money, dateTime } = useFormat()
  const mayWrite = useMay()('deposits:write')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = useSearchChange(navigate)
  const choice = useColumnChoice(search, navigate)
  const depositor = useDepositorColumns()
  const find = useCallback((q: string) => change({ q: q || undefined }), [change])
  const api = useAdminApi()
  const deposits = useQuery({ ...depositsQuery(api, search), placeholderData: keepPreviousData })
  const [receiving, setReceiving] = useState<OrderCode>()
  return (
    <>
      <ListViews
        list="expected-deposits"
        search={{ q: search.q, columns: search.columns }}
        linkTo={(parameters) => (
          <Link to="/deposits" activeOptions={{ exact: true }} search={parseDepositsSearch(parameters)} />
        )}
        onShow={(parameters) => void navigate({ search: parseDepositsSearch(parameters) })}
      />
      <Filters>
        <SearchField label={t`Order number, name or email`} value={search.q ?? ''} onSearch={find} />
      </Filters>
      <Loaded query={deposits}>
        {({ items, nextCursor }) => (
          <DataList
            label={t`Expected deposits`}
            choice={choice}
            items={items}
            keyOf={({ code }) => code}
            empty={
              search.q ? (
                <Trans>No order fits this search.</Trans>
              ) : (
                <Trans>Orders that are paid by bank transfer are listed here until the money has arrived.</Trans>
              )
            }
            columns={[
              ...depositor,
              {
                key: 'account',
                header: t`Account`,
                isExtra: true,
                cell: ({ account }) => <bdi>{account ? `${account.bank} ${account.number}` : '–'}</bdi>,
              },
              {
                key: 'ordered',
                header: t`Ordered`,
                isOptional: true,
                cell: ({ createdAt }) => dateTime(createdAt),
              },
              { key: 'due', header: t`Deposit until`, isExtra: true, cell: ({ dueAt }) => dateTime(dueAt) },
              { key: 'total', header: t`Total`, atEnd: true, cell: ({ total }) => money(total) },
              ...(mayWrite
                ? [
                    {
                      key: 'paid',
                      header: t`Actions`,
                      atEnd: true,
                      cell: ({ code }: { code: OrderCode }) => (
                        <Button size="s" className={styles.above} onClick={() => setReceiving(code)}>
                          <Trans>Mark as paid</Trans>
                        </Button>
                      ),
                    },
                  ]
                : []),
            ]}
            paging={
              <Paging
                total={{ shown: items.length, count: depositsCountQuery(api, search) }}
                first={search.cursor && <Link to="/deposits" search={{ ...search, cursor: undefined }} />}
                next={nextCursor && <Link to="/deposits" search={{ ...search, cursor: nextCursor }} />}
              />
            }
          />
        )}
      </Loaded>
      {mayWrite && <MoneyToReturnSections />}
      {receiving && <ReceiveDialog code={receiving} onClose={() => setReceiving(undefined)} />}
    </>
  )
}

/** Links to the two lists of deposits. */
function DepositTabs({ isReceived }: { isReceived: boolean }) {
  const { t } = useLingui()
  return (
    <nav className={styles.tabs} aria-label={t`Lists of deposits`}>
      <Chip selected={!isReceived} render={<Link to="/deposits" activeOptions={{ exact: true }} />}>
        <Trans>Expected</Trans>
      </Chip>
      <Chip
        selected={isReceived}
        render={<Link to="/deposits" search={{ list: 'received' }} activeOptions={{ exact: true }} />}
      >
        <Trans>Received</Trans>
      </Chip>
    </nav>
  )
}

/** Deposits that are expected or were received. */
export function DepositList() {
  const { t } = useLingui()
  const may = useMay()
  const { list, q, from, to, min, max, columns } = route.useSearch()
  const isReceived = list === 'received'
  const filters = isReceived ? { list: 'RECEIVED', q, from, to, min, max, columns } : { list: 'EXPECTED', q, columns }
  return (
    <Page title={t`Deposits`} actions={may('deposits:write') && <ExportLink list="deposits" filters={filters} />}>
      <DepositTabs isReceived={isReceived} />
      {isReceived ? <ReceivedDeposits /> : <ExpectedDeposits />}
    </Page>
  )
}
