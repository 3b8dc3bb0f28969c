import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { storeText } from '~/platform/i18n/store-text'
import { useCategories } from '~/platform/shell/shell.functions'
import { Breadcrumbs } from '~/ui/section-heading'
import { pathTo } from '../category-tree'
import type { ProductList } from '../products.queries'
import type { ProductsSearch } from '../products.search'
import styles from './products-page.module.css'

interface ProductsTitleProps {
  list: ProductList
  search: ProductsSearch
  /** The spelling that was searched instead. */
  corrected: string | null
}

export function ProductsTitle({ list, search, corrected }: ProductsTitleProps) {
  const { t } = useLingui()
  const above = pathTo(useCategories(), search.category)
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
                key={category.id}
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
