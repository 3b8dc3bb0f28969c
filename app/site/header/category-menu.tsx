import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { setCategoryMenu, useCategoryMenu } from '~/platform/navigation/category-menu'
import type { CategoryNode } from '~/platform/shell/category-tree'
import { Icon } from '~/ui/icon'
import styles from './category-menu.module.css'

const panelId = 'category-menu'

export function CategoryMenuButton() {
  const open = useCategoryMenu()
  return (
    <button type="button" className={styles.button} popoverTarget={panelId} aria-expanded={open}>
      <Icon name="grid" size="m" />
      <Trans>Browse</Trans>
      <Icon name="chevron-down" size="s" className={styles.chevron} />
    </button>
  )
}

/**
 * The whole tree, three levels deep. It is a popover: it opens without script, and Escape or a press elsewhere closes it.
 * Pointing at a top-level category shows what is below it; every navigation closes the menu.
 */
export function CategoryMenu({ categories }: { categories: CategoryNode[] }) {
  const { t } = useLingui()
  const panel = useRef<HTMLElement>(null)
  const open = useCategoryMenu()
  const [chosen, setChosen] = useState(categories[0]?.id)

  useEffect(() => {
    const element = panel.current
    if (!open && element?.matches(':popover-open')) element.hidePopover()
  }, [open])

  if (categories.length === 0) return null
  return (
    <nav
      ref={panel}
      id={panelId}
      popover="auto"
      className={styles.panel}
      aria-label={t`Categories`}
      onBeforeToggle={(event) => hangBelowHeader(event.currentTarget)}
      onToggle={(event) => setCategoryMenu(event.newState === 'open')}
    >
      <ul className={styles.roots}>
        {categories.map((root) => (
          <li key={root.id} className={styles.root} data-chosen={root.id === chosen || undefined}>
            <Link
              to="/products"
              search={{ category: root.id }}
              className={styles.rootLink}
              onPointerEnter={() => setChosen(root.id)}
              onFocus={() => setChosen(root.id)}
            >
              {root.name}
              <Icon name="chevron-end" size="s" />
            </Link>
            <div className={styles.sheet}>
              <p className={styles.heading}>
                <Link to="/products" search={{ category: root.id }}>
                  <Trans>Everything in {root.name}</Trans>
                  <Icon name="arrow-end" size="s" />
                </Link>
              </p>
              <ul className={styles.groups}>
                {root.children.map((group) => (
                  <li key={group.id}>
                    <Link to="/products" search={{ category: group.id }} className={styles.group}>
                      {group.name}
                    </Link>
                    {group.isChild && (
                      <ul className={styles.leaves}>
                        {group.children.map((leaf) => (
                          <li key={leaf.id}>
                            <Link to="/products" search={{ category: leaf.id }} className={styles.leaf}>
                              {leaf.name}
                            </Link>
                          </li>
                        ))}
                      </ul>
                    )}
                  </li>
                ))}
              </ul>
            </div>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The strip above may be scrolled away or not: the panel begins where the header ends now. */
function hangBelowHeader(panel: HTMLElement) {
  const header = panel.closest('header')?.getBoundingClientRect()
  if (header) panel.style.setProperty('--header-end', `${header.bottom}px`)
}
