import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type * as z from 'zod/mini'
import type { storeProductPage } from '#contract/admin/products.ts'
import type { ProductCode } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { lazyPart } from '../../platform/lazy-part'
import { isFiltered, useColumnChoice } from '../../platform/search'
import { useMay } from '../../platform/session'
import { type Column, DataList } from '../../ui/data-list'
import { ExportLink } from '../../ui/export-link'
import { ListSelection, useListSelection } from '../../ui/list-selection'
import { ListViews } from '../../ui/list-views'
import { Page } from '../../ui/page'
import { Paging } from '../../ui/paging'
import { productAccesses, productKinds, saleStates } from '../../ui/product-labels'
import { Selectable } from '../../ui/selection'
import { Loaded } from '../../ui/states'
import { StatusBadge } from '../../ui/status'
import { ProductFilters } from './product-filters'
import styles from './products.module.css'
import { productsCountQuery, productsQuery } from './products.queries'
import { parseProductsSearch } from './products.search'

const route = getRouteApi('/products')

const DeleteDialog = lazyPart(async () => ({ default: (await import('./delete-dialog')).DeleteDialog }))

const BulkDialog = lazyPart(async () => ({ default: (await import('./bulk-dialog')).BulkDialog }))

type Row = z.output<typeof storeProductPage>['items'][number]

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

const useColumns = (selection: ReturnType<typeof useListSelection<ProductCode>>, isAllowed: boolean) => {
  const { t, i18n } = useLingui()
  const { money, date } = useFormat()
  return [
    {
      key: 'title',
      header: t`Title`,
      cell: ({ code, title }) => (
        <Selectable
          item={code}
          label={t`Select: ${title}`}
          selected={selection.selected}
          onSelect={isAllowed ? selection.select : null}
        >
          <Link to="/products/$code" params={{ code }}>
            <bdi>{title}</bdi>
          </Link>
        </Selectable>
      ),
    },
    { key: 'status', header: t`Status`, cell: (product) => <SaleStatus product={product} /> },
    {
      key: 'kind',
      header: t`Kind`,
      isOptional: true,
      cell: ({ kind }) => i18n._(productKinds[kind]),
    },
    {
      key: 'access',
      header: t`Who may watch`,
      isOptional: true,
      cell: ({ access }) => i18n._(productAccesses[access]),
    },
    { key: 'code', header: t`Code`, isExtra: true, cell: ({ code }) => code },
    { key: 'created', header: t`Created`, isExtra: true, cell: ({ createdAt }) => date(createdAt) },
    { key: 'price', header: t`Price`, atEnd: true, cell: ({ price }) => (price ? money(price) : '–') },
  ] satisfies Column<Row>[]
}

/** The products of the store in any state, by default the latest first. */
export function ProductList() {
  const { t } = useLingui()
  const may = useMay()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const choice = useColumnChoice(search, navigate)
  const { cursor: _, ...view } = search
  const api = useAdminApi()
  const products = useQuery({ ...productsQuery(api, search), placeholderData: keepPreviousData })
  const selection = useListSelection<ProductCode>()
  const { selected, all } = selection
  const [isDeleting, setDeleting] = useState(false)
  const { columns: _columns, sort: _sort, ...filters } = view
  const isAllowed = may('products:write')
  const columns = useColumns(selection, isAllowed)
  return (
    <Page
      title={t`Products`}
      actions={
        <>
          <ExportLink list="product-list" filters={view} />
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
              columns={columns}
              paging={
                <Paging
                  total={{ shown: items.length, count: productsCountQuery(api, search) }}
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
