import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { type ProductSort, productLack, saleState } from '#contract/enumerations.ts'
import { useAdminApi } from '../../platform/admin-api'
import { useSearchChange } from '../../platform/search'
import { ChoiceField, CodeFilter, Filters, SearchField } from '../../ui/filters'
import { kindChoices, pathText, productKinds, productLacks, saleStates } from '../../ui/product-labels'
import { statusChoices } from '../../ui/status'
import { categoriesQuery } from './products.queries'

const route = getRouteApi('/products')

/** What the list of products is filtered and sorted by. */
export function ProductFilters() {
  const { t, i18n } = useLingui()
  const search = route.useSearch()
  const change = useSearchChange(route.useNavigate())
  const find = useCallback((q: string) => change({ q: q || undefined }), [change])
  const { items: categories = [] } = useQuery(categoriesQuery(useAdminApi())).data ?? {}
  const sorts: readonly { value: ProductSort; label: string }[] = [
    { value: 'OLDEST', label: t`Oldest first` },
    { value: 'TITLE', label: t`By title` },
    { value: 'PRICE_LOW', label: t`Lowest price first` },
    { value: 'PRICE_HIGH', label: t`Highest price first` },
  ]
  return (
    <Filters folds>
      <SearchField label={t`Title or code`} value={search.q ?? ''} onSearch={find} />
      <ChoiceField
        label={t`Status`}
        value={search.state}
        choices={statusChoices(i18n, saleState.options, saleStates)}
        onChange={(state) => change({ state })}
      />
      <ChoiceField
        label={t`Kind`}
        value={search.kind}
        choices={kindChoices.map((value) => ({ value, label: i18n._(productKinds[value]) }))}
        onChange={(kind) => change({ kind })}
      />
      {(categories.length > 0 || search.categoryId) && (
        <ChoiceField
          label={t`Category`}
          value={search.categoryId}
          choices={categories.map((category) => ({ value: category.id, label: pathText(category) }))}
          onChange={(categoryId) => change({ categoryId })}
        />
      )}
      <CodeFilter label={t`Tag`} value={search.tag} onChange={(tag) => change({ tag })} />
      <ChoiceField
        label={t`Missing`}
        value={search.lacks}
        choices={productLack.options.map((value) => ({ value, label: i18n._(productLacks[value]) }))}
        onChange={(lacks) => change({ lacks })}
      />
      <ChoiceField
        label={t`Sort by`}
        isSort
        all={t`Newest first`}
        value={search.sort}
        choices={sorts}
        onChange={(sort) => change({ sort })}
      />
    </Filters>
  )
}
