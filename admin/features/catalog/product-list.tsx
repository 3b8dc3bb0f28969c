import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { StoreProduct } from '#contract/admin/products.ts'
import { saleState } from '#contract/enumerations.ts'
import type { ProductCode } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { lazyPart } from '../../platform/lazy-part'
import { isFiltered, useColumnChoice, useSearchChange } from '../../platform/search'
import { useMay } from '../../platform/session'
import { DataList } from '../../ui/data-list'
import { ChoiceField, Filters, SearchField } from '../../ui/filters'
import { ListSelection, useListSelection } from '../../ui/list-selection'
import { ListViews } from '../../ui/list-views'
import { Page } from '../../ui/page'
import { Paging } from '../../ui/paging'
import { saleStates } from '../../ui/product-labels'
import { Selectable } from '../../ui/selection'
import { Loaded } from '../../ui/states'
import { StatusBadge, statusChoices } from '../../ui/status'
import styles from './products.module.css'
import { parseProductsSearch, productsQuery } from './products.queries'

const route = getRouteApi('/products')

const DeleteDialog = lazyPart(async () => ({ default: (await import('./delete-dialog')).DeleteDialog }))

const BulkDialog = lazyPart(async () => ({ default: (await import('./bulk-dialog')).BulkDialog }))

function ProductFilters() {
  const { t, i18n } = useLingui()
  const search = route.useSearch()
  const change = useSearchChange(route.useNavigate())
  const find = useCallback((q: string) => change({ q: q || undefined }), [change])
  return (
    <Filters>
      <SearchField label={t`Title or code`} value={search.q ?? ''} onSearch={find} />
      <ChoiceField
        label={t`Status`}
        value={search.state}
        choices={statusChoices(i18n, saleState.options, saleStates)}
        onChange={(state) => change({ state })}
      />
    </Filters>
  )
}

type Row = Pick<StoreProduct, 'state' | 'ready' | 'saleFrom' | 'saleTo'>

/** The status of a product, with the time at which it changes by itself. */
function SaleStatus({ product: { state, ready, saleFrom, saleTo } }: { product: Row }) {
  const { dateTime } = useFormat()
  if (state === 'ON_SALE' && !ready)
    return (
      <Badge tone="warning">
        <Trans>No content yet</Trans>
      </Badge>
    )
  return (
    <>
      <StatusBadge status={saleStates[state]} />
      {state === 'SCHEDULED' && saleFrom && (
        <div className={styles.when}>
          <Trans>From {dateTime(saleFrom)}</Trans>
        </div>
      )}
      {state === 'ON_SALE' && saleTo && (
        <div className={styles.when}>
          <Trans>Until {dateTime(saleTo)}</Trans>
        </div>
      )}
    </>
  )
}

/** The products of the store in any state, latest first. */
export function ProductList() {
  const { t } = useLingui()
  const { money, date } = useFormat()
  const may = useMay()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const choice = useColumnChoice(search, navigate)
  const { cursor: _, ...view } = search
  const products = useQuery({ ...productsQuery(useAdminApi(), search), placeholderData: keepPreviousData })
  const selection = useListSelection<ProductCode>()
  const { selected, all } = selection
  const [isDeleting, setDeleting] = useState(false)
  const { columns: _columns, ...filters } = view
  const isAllowed = may('products:write')
  return (
    <Page
      title={t`Products`}
      actions={
        <>
          <Button render={<Link to="/imports" />}>
            <Trans>Import and export</Trans>
          </Button>
          {isAllowed && (
            <Button icon="plus" variant="primary" render={<Link to="/products/new" />}>
              <Trans>New product</Trans>
            </Button>
          )}
        </>
      }
    >
      <ListViews
        list="products"
        search={view}
        linkTo={(parameters) => (
          <Link to="/products" activeOptions={{ exact: true }} search={parseProductsSearch(parameters)} />
        )}
        onShow={(parameters) => void navigate({ search: parseProductsSearch(parameters) })}
      />
      <ProductFilters />
      <Loaded query={products}>
        {({ items, nextCursor }) => (
          <>
            {isAllowed && (
              <ListSelection
                state={selection}
                keys={items.map(({ code }) => code)}
                hasMore={nextCursor !== null}
                filters={{ kind: 'PRODUCTS', filters }}
                action={<Plural value={selected.length} one="Change # product" other="Change # products" />}
              >
                {items.every(({ code, state }) => state === 'DRAFT' || !selected.includes(code)) && (
                  <Button size="s" variant="danger" onClick={() => setDeleting(true)}>
                    <Plural value={selected.length} one="Delete # product" other="Delete # products" />
                  </Button>
                )}
              </ListSelection>
            )}
            <DataList
              label={t`Products`}
              choice={choice}
              items={items}
              keyOf={({ id }) => id}
              empty={
                isFiltered(search) ? (
                  <Trans>No product fits these filters.</Trans>
                ) : (
                  <Trans>Create the first product, then upload its video.</Trans>
                )
              }
              columns={[
                {
                  key: 'title',
                  header: t`Title`,
                  cell: ({ code, title }) => (
                    <Selectable
                      item={code}
                      label={t`Select: ${title}`}
                      selected={selected}
                      onSelect={isAllowed ? selection.select : null}
                    >
                      <Link to="/products/$code" params={{ code }}>
                        <bdi>{title}</bdi>
                      </Link>
                    </Selectable>
                  ),
                },
                { key: 'status', header: t`Status`, cell: (product) => <SaleStatus product={product} /> },
                { key: 'code', header: t`Code`, isExtra: true, cell: ({ code }) => code },
                { key: 'created', header: t`Created`, isExtra: true, cell: ({ createdAt }) => date(createdAt) },
                { key: 'price', header: t`Price`, atEnd: true, cell: ({ price }) => (price ? money(price) : '–') },
              ]}
              paging={
                <Paging
                  first={search.cursor && <Link to="/products" search={{ ...search, cursor: undefined }} />}
                  next={nextCursor && <Link to="/products" search={{ ...search, cursor: nextCursor }} />}
                />
              }
            />
          </>
        )}
      </Loaded>
      {selection.isOpen && (
        <BulkDialog
          codes={selected}
          all={all === undefined ? undefined : { filters, count: all }}
          onClose={selection.close}
        />
      )}
      {isDeleting && (
        <DeleteDialog
          codes={selected}
          onClose={(isDone?: boolean) => {
            setDeleting(false)
            selection.close(isDone)
          }}
        />
      )}
    </Page>
  )
}
