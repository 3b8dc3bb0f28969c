import { Trans } from '@lingui/react/macro'
import type { SearchAnswer } from '#contract/catalog.ts'
import { useCategories } from '~/platform/shell/shell.queries'
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
      {shown.map(({ id, name, path, level }) => (
        <FilterRadio
          key={id}
          name="category"
          value={path}
          checked={path === chosen}
          depth={Math.max(0, level - 1)}
          label={<Counted label={name} count={counts.get(id) ?? null} />}
        />
      ))}
    </fieldset>
  )
}
