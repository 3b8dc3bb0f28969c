import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import type { ReactNode } from 'react'
import { type SortOption, sortOption } from '#contract/enumerations.ts'
import { hydratedLater, inSuspense } from '~/platform/hydration-boundary'
import { withMessages } from '~/platform/i18n/i18n'
import { storeText } from '~/platform/i18n/store-text'
import { ReloadingList } from '~/platform/navigation/page-feedback'
import { pathTo, useCategoryTree } from '~/platform/shell/categories'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import { Chip, Chips } from '~/ui/chip'
import { EmptyState } from '~/ui/empty-state'
import { LoadMore, Pagination } from '~/ui/pagination'
import { Breadcrumbs } from '~/ui/section-heading'
import { Select } from '~/ui/select'
import { filterFormId, filterPanelId, sortLabels } from '../filter-choices'
import { type ProductList, productsQuery } from '../products.functions'
import { defaultSort, filtersOf, type ProductsSearch, parseProductsSearch } from '../products.search'
import { atPage, shownPages } from '../products-route'
import { CaptionMatches } from './caption-matches'
import { FilterChips } from './filter-chips'
import { FilterPanel as FilterPanelNow } from './filter-panel'
import { ProductGrid } from './product-lists'
import styles from './products-page.module.css'

const FilterPanel = createIsomorphicFn()
  .server(() => inSuspense(FilterPanelNow))
  .client(() => hydratedLater(() => withMessages(import('./filter-panel')).then((part) => part.FilterPanel)))()

interface NoProductsProps {
  list: ProductList
  search: ProductsSearch
  /** How many products all pages of the list have. */
  total: number
}

/** The empty list: how to widen the search. */
function NoProducts({ list, search, total }: NoProductsProps) {
  const { t } = useLingui()
  const { roots } = useCategoryTree()
  const { q } = search
  const filtered = filtersOf(search) > 0
  if (total > 0)
    return (
      <EmptyState
        icon="search"
        title={t`This page is empty.`}
        actions={
          <Button variant="primary" render={<Link to={`/${list}`} search={atPage(search, 1)} />}>
            {t`Go to the first page`}
          </Button>
        }
      />
    )
  return (
    <EmptyState
      icon="search"
      title={q ? <Trans>No results for “{q}”</Trans> : <Trans>No products match these filters</Trans>}
      actions={
        <>
          {filtered && (
            <Button variant="primary" render={<Link to={`/${list}`} search={parseProductsSearch({ q })} />}>
              {t`Clear filters`}
            </Button>
          )}
          <Button render={<Link to="/products" />}>{t`See all products`}</Button>
        </>
      }
    >
      {q ? (
        <Trans>Check the spelling, try fewer or more general words, or browse by category.</Trans>
      ) : (
        <Trans>Remove a filter, or browse by category.</Trans>
      )}
      <Chips className={styles.categories}>
        {roots.map(({ name, path }) => (
          <Chip key={path} render={<Link to="/products" search={{ category: path }} />}>
            {name}
          </Chip>
        ))}
      </Chips>
    </EmptyState>
  )
}

interface ProductsTitleProps {
  list: ProductList
  search: ProductsSearch
  /** The spelling that was searched instead. */
  corrected: string | null
}

function ProductsTitle({ list, search, corrected }: ProductsTitleProps) {
  const { t } = useLingui()
  const above = pathTo(useCategoryTree(), search.category)
  const all = list === 'videos' ? <Trans>Videos</Trans> : <Trans>All products</Trans>
  const here = above.at(-1)
  return (
    <header className={styles.head}>
      {above.length > 0 && (
        <Breadcrumbs label={t`Breadcrumb`}>
          {[
            <Link key="all" to={`/${list}`} activeOptions={{ exact: true }}>
              {all}
            </Link>,
            ...above.slice(0, -1).map((category) => (
              <Link
                key={category.path}
                to={`/${list}`}
                search={{ category: category.path }}
                activeOptions={{ exact: true }}
              >
                {storeText(category, 'name')}
              </Link>
            )),
          ]}
        </Breadcrumbs>
      )}
      <h1 className={styles.title}>
        {search.q ? <Trans>Results for “{corrected ?? search.q}”</Trans> : here ? storeText(here, 'name') : all}
      </h1>
      {search.q && corrected && (
        <p className={styles.corrected}>
          <Trans>No results for “{search.q}”. Showing results for a similar spelling.</Trans>
        </p>
      )}
    </header>
  )
}

/** The order of a list. It belongs to the filter form, so that it works where no script runs. */
function SortSelect({ list, search }: { list: ProductList; search: ProductsSearch }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const choose = (sort: string) => {
    const { page: _, ...params } = search
    void navigate({ to: `/${list}`, search: parseProductsSearch({ ...params, sort }), resetScroll: false })
  }
  return (
    <div className={styles.sort}>
      <Select
        label={t`Sort by`}
        labelHidden
        form={filterFormId}
        name="sort"
        value={search.sort ?? defaultSort}
        onChange={(event) => choose(event.target.value)}
        options={sortOption.options.map((value: SortOption) => ({ value, label: t(sortLabels[value]) }))}
      />
      <noscript>
        <Button type="submit" form={filterFormId}>
          <Trans>Apply</Trans>
        </Button>
      </noscript>
    </div>
  )
}

interface PageOfList {
  list: ProductList
  /** The search of the list, with the number of the page. */
  search: ProductsSearch
}

const GridOfPage = ({ list, search, eager }: PageOfList & { eager: boolean }) => (
  <ProductGrid list={useSuspenseQuery(productsQuery(list, search)).data.items} eager={eager} />
)

const CaptionMatchesOfList = ({ list, search, products }: PageOfList & { products: boolean }) => (
  <CaptionMatches matches={useSuspenseQuery(productsQuery(list, search)).data.captionMatches} products={products} />
)

interface ProductsPageProps {
  list: ProductList
  search: ProductsSearch
  /** Narrow headers do not show the search field. */
  searchBox: ReactNode
}

/** A list of products with its filters. Everything it shows is in its address. */
export function ProductsPage({ list, search, searchBox }: ProductsPageProps) {
  const { t } = useLingui()
  const { currency } = useSiteSettings().base
  const firstPage = useRouterState({ select: (state) => state.location.state.firstPage })
  const loading = useRouterState({ select: (state) => state.isLoading })
  const page = search.page ?? 1
  const shown = shownPages(page, firstPage)
  const latest = useSuspenseQuery(productsQuery(list, atPage(search, page))).data
  const { total, size, facets, priceRange } = latest
  const pages = Math.ceil(total / size)
  // The pages before the latest are full.
  const count = latest.items.count + (shown.length - 1) * size
  const filters = filtersOf(search)

  return (
    <div className={styles.page}>
      <div id="search" className={styles.searchBox}>
        {searchBox}
      </div>
      <ProductsTitle list={list} search={search} corrected={latest.corrected} />
      <div className={styles.columns}>
        <FilterPanel
          list={list}
          search={search}
          facets={facets}
          priceRange={priceRange}
          currency={currency}
          total={total}
        />
        <div className={styles.results}>
          <div className={styles.toolbar}>
            <div className={styles.filterButton}>
              <Button
                icon="filter"
                variant="outline"
                popoverTarget={filterPanelId}
                aria-label={filters > 0 ? t`Filters, ${filters} applied` : t`Filters`}
              >
                <Trans>Filters</Trans>
                {filters > 0 && <span className={styles.count}>{filters}</span>}
              </Button>
            </div>
            <p className={styles.total} role="status">
              <Plural value={total} _0="No products" one="# product" other="# products" />
            </p>
            <SortSelect list={list} search={search} />
          </div>
          <FilterChips list={list} search={search} facets={facets} />
          <CaptionMatchesOfList list={list} search={atPage(search, shown[0] ?? page)} products={count > 0} />
          {count === 0 ? (
            latest.captionMatches.length === 0 && <NoProducts list={list} search={search} total={total} />
          ) : (
            <ReloadingList>
              <div className={styles.lists}>
                {shown.map((number, at) => (
                  <GridOfPage key={number} list={list} search={atPage(search, number)} eager={at === 0} />
                ))}
              </div>
              <footer className={styles.more}>
                <LoadMore
                  label={t`Load more`}
                  shown={t`Showing ${count} of ${total}`}
                  loading={loading}
                  render={
                    page < pages ? (
                      <Link
                        to={`/${list}`}
                        search={atPage(search, page + 1)}
                        state={{ firstPage: Math.min(firstPage ?? page, page) }}
                        replace
                        resetScroll={false}
                      />
                    ) : undefined
                  }
                />
                <Pagination
                  page={page}
                  pages={pages}
                  labels={{
                    name: t`Pages`,
                    previous: t`Previous page`,
                    next: t`Next page`,
                  }}
                  linkTo={(number) => (
                    <Link to={`/${list}`} search={atPage(search, number)} activeOptions={{ exact: true }} />
                  )}
                />
              </footer>
            </ReloadingList>
          )}
        </div>
      </div>
    </div>
  )
}
