import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { type SortOption, sortOption } from '#contract/enumerations.ts'
import { Select } from '~/ui/select'
import { sortLabels } from '../labels'
import type { ProductList } from '../products.queries'
import { defaultSort, type ProductsSearch, parseProductsSearch } from '../products.search'
import { filterFormId } from './filter-panel'

/** The order of a list. It belongs to the filter form, so that it works where no script runs. */
export function SortSelect({ list, search }: { list: ProductList; search: ProductsSearch }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const choose = (sort: string) => {
    const { page: _, ...words } = search
    void navigate({ to: `/${list}`, search: parseProductsSearch({ ...words, sort }), resetScroll: false })
  }
  return (
    <Select
      label={t`Sort by`}
      labelHidden
      form={filterFormId}
      name="sort"
      value={search.sort ?? defaultSort}
      onChange={(event) => choose(event.target.value)}
      options={sortOption.options.map((value: SortOption) => ({ value, label: t(sortLabels[value]) }))}
    />
  )
}
