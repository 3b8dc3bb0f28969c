import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useCategoryTree } from '~/platform/shell/categories'
import { Button } from '~/ui/button'
import { Chip, Chips } from '~/ui/chip'
import { EmptyState } from '~/ui/empty-state'
import type { ProductList } from '../products.functions'
import { filtersOf, type ProductsSearch, parseProductsSearch } from '../products.search'
import { atPage } from '../products-route'
import styles from './products-page.module.css'

interface NoProductsProps {
  list: ProductList
  search: ProductsSearch
  /** How many products all pages of the list have. */
  total: number
}

/** The empty list: how to widen the search. */
export function NoProducts({ list, search, total }: NoProductsProps) {
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
        {roots.map(({ id, name, path }) => (
          <Chip key={id} render={<Link to="/products" search={{ category: path }} />}>
            {name}
          </Chip>
        ))}
      </Chips>
    </EmptyState>
  )
}
