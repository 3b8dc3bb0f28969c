import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQueries } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import { LoadMore, Pagination } from '~/ui/pagination'
import { PosterGrid } from '~/ui/poster-grid'
import { type ProductList, productsQuery } from '../products.queries'
import { filtersOf, type ProductsSearch } from '../products.search'
import { atPage, shownPages } from '../products-route'
import { CaptionMatches } from './caption-matches'
import { FilterChips } from './filter-chips'
import { FilterPanel, filterPanelId } from './filter-panel'
import { NoProducts } from './no-products'
import { ProductTile, shapeOf } from './product-tile'
import styles from './products-page.module.css'
import { ProductsTitle } from './products-title'
import { SortSelect } from './sort-select'

interface ProductsPageProps {
  list: ProductList
  search: ProductsSearch
  /** Where the header has no room for it. */
  searchBox: ReactNode
}

/** A list of products with its filters. Everything it shows is in its address. */
export function ProductsPage({ list, search, searchBox }: ProductsPageProps) {
  const { t } = useLingui()
  const { currency } = useSiteSettings().base
  const firstPage = useRouterState({ select: (state) => state.location.state.firstPage })
  const loading = useRouterState({ select: (state) => state.isLoading })
  const page = search.page ?? 1
  const answers = useSuspenseQueries({
    queries: shownPages(page, firstPage).map((number) => productsQuery(list, atPage(search, number))),
  }).map(({ data }) => data)
  const latest = answers.at(-1)
  if (!latest) return null

  const products = answers.flatMap(({ items }) => items)
  const { total, size, facets, priceRange } = latest
  const pages = Math.ceil(total / size)
  const shape = shapeOf(products)
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
          <CaptionMatches matches={answers[0]?.captionMatches ?? []} products={products.length > 0} />
          {products.length === 0 ? (
            latest.captionMatches.length === 0 && <NoProducts list={list} search={search} total={total} />
          ) : (
            <div aria-busy={loading || undefined} className={styles.list}>
              <PosterGrid shape={shape}>
                {products.map((product, at) => (
                  <li key={product.id}>
                    <ProductTile product={product} shape={shape} headingLevel="h2" eager={at < 6} />
                  </li>
                ))}
              </PosterGrid>
              <footer className={styles.more}>
                <LoadMore
                  label={t`Load more`}
                  shown={t`Showing ${products.length} of ${total}`}
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
            </div>
          )}
        </div>
      </div>
    </div>
  )
}
