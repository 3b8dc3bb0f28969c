import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { storeStates } from '#contract/store-state.ts'
import { Button } from '~/ui/button'
import { Card } from '~/ui/card'
import { EmptyState } from '~/ui/empty-state'
import { Notice } from '~/ui/notice'
import { useFormat } from '../../platform/format'
import { isFiltered, useSearchChange } from '../../platform/search'
import { useMay } from '../../platform/session'
import { DataList } from '../../ui/data-list'
import { ChoiceField, Filters, SearchField } from '../../ui/filters'
import { Page } from '../../ui/page'
import { Paging } from '../../ui/paging'
import { Loaded } from '../../ui/states'
import { StatusBadge, statusChoices } from '../../ui/status'
import { storeFilterLabels, storeStatusOf } from './store-states'
import { storesCountQuery, storesQuery, useStoresApi } from './stores.queries'

const route = getRouteApi('/stores')

/** Says why stores cannot be created or changed here. */
export const CommandsOnlyNotice = () => (
  <Notice>
    <Trans>
      Stores can be read here, and created and changed by commands alone: the service does not know the role that owns
      the database (DATABASE_OWNER_URL).
    </Trans>
  </Notice>
)

function StoreFilters() {
  const { t, i18n } = useLingui()
  const search = route.useSearch()
  const change = useSearchChange(route.useNavigate())
  const find = useCallback((q: string) => change({ q: q || undefined }), [change])
  return (
    <Filters>
      <SearchField label={t`Name, code or domain`} value={search.q ?? ''} onSearch={find} />
      <ChoiceField
        label={t`State`}
        value={search.state}
        choices={statusChoices(i18n, storeStates, storeFilterLabels)}
        onChange={(state) => change({ state })}
      />
    </Filters>
  )
}

/** The stores of the installation, the newest first. */
export function StoreList() {
  const { t } = useLingui()
  const { date } = useFormat()
  const search = route.useSearch()
  const api = useStoresApi()
  const stores = useQuery({ ...storesQuery(api, search), placeholderData: keepPreviousData })
  const mayWrite = useMay()('stores:write') && stores.data?.canWrite !== false
  const create = mayWrite && (
    <Button variant="primary" icon="plus" render={<Link to="/stores/new" />}>
      <Trans>New store</Trans>
    </Button>
  )
  return (
    <Page title={t`Stores`} actions={create}>
      {stores.data?.canWrite === false && <CommandsOnlyNotice />}
      <StoreFilters />
      <Loaded query={stores}>
        {({ items, nextCursor }) =>
          items.length === 0 && !isFiltered(search) ? (
            <Card>
              <EmptyState icon="globe" title={<Trans>No stores yet</Trans>} actions={create}>
                <Trans>Each store has its own domain, catalog, members and staff. You invite its owner.</Trans>
              </EmptyState>
            </Card>
          ) : (
            <DataList
              label={t`Stores`}
              items={items}
              keyOf={({ code }) => code}
              empty={<Trans>No store fits this search.</Trans>}
              columns={[
                {
                  key: 'name',
                  header: t`Name`,
                  cell: ({ code, name }) => (
                    <Link to="/stores/$code" params={{ code }}>
                      <bdi>{name}</bdi>
                    </Link>
                  ),
                },
                {
                  key: 'state',
                  header: t`State`,
                  cell: (store) => <StatusBadge status={storeStatusOf(store)} />,
                },
                { key: 'code', header: t`Code`, isExtra: true, cell: ({ code }) => <bdi dir="ltr">{code}</bdi> },
                {
                  key: 'hosts',
                  header: t`Domains`,
                  cell: ({ hosts }) => <bdi dir="ltr">{hosts.join(', ') || '–'}</bdi>,
                },
                { key: 'created', header: t`Created`, isExtra: true, cell: ({ createdAt }) => date(createdAt) },
              ]}
              paging={
                <Paging
                  total={{ shown: items.length, count: storesCountQuery(api, search) }}
                  first={search.cursor && <Link to="/stores" search={{ ...search, cursor: undefined }} />}
                  next={nextCursor && <Link to="/stores" search={{ ...search, cursor: nextCursor }} />}
                />
              }
            />
          )
        }
      </Loaded>
    </Page>
  )
}
