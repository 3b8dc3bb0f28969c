import { Link } from '@tanstack/react-router'
import { storeText } from '~/platform/i18n/store-text'
import type { CategoryNode } from '~/platform/shell/categories'

interface CategoryLevelsProps {
  groups: readonly CategoryNode[]
  classNames: Record<'group' | 'leaves' | 'leaf', string | undefined>
}

/** The items of the two levels below a top-level category. */
export function CategoryLevels({ groups, classNames }: CategoryLevelsProps) {
  return groups.map((group) => (
    <li key={group.id}>
      <Link to="/products" search={{ category: group.path }} className={classNames.group}>
        {storeText(group, 'name')}
      </Link>
      {group.isChild && (
        <ul className={classNames.leaves}>
          {group.children.map((leaf) => (
            <li key={leaf.id}>
              <Link to="/products" search={{ category: leaf.path }} className={classNames.leaf}>
                {storeText(leaf, 'name')}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  ))
}
