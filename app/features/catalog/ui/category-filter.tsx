import { Trans } from '@lingui/react/macro'
import type { SearchAnswer } from '#contract/catalog.ts'
import { storeText } from '~/platform/i18n/store-text'
import { useCategories } from '~/platform/shell/shell.functions'
import { openTree } from '../category-tree'
import { Counted } from './facet-filter'
import styles from './filter-panel.module.css'
import { FilterRadio } from './filter-radio'

interface CategoryFilterProps {
  chosen: string | undefined
  facet: SearchAnswer['facets']['category']
}

/** The category tree, open down to the chosen one and its children. */
export function CategoryFilter({ chosen, facet }: CategoryFilterProps) {
  const shown = openTree(useCategories(), chosen)
  if (shown.length === 0) return null
  const counts = new Map(facet.map(({ value, count }) => [value, count]))
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>
        <Trans>Category</Trans>
      </legend>
      <FilterRadio name="category" value="" checked={!chosen} label={<Trans>All categories</Trans>} />
      {shown.map((category) => (
        <FilterRadio
          key={category.id}
          name="category"
          value={category.path}
          checked={category.path === chosen}
          depth={Math.max(0, category.level - 1)}
          label={<Counted label={storeText(category, 'name')} count={counts.get(category.id) ?? null} />}
        />
      ))}
    </fieldset>
  )
}
