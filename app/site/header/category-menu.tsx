import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type ComponentProps, useLayoutEffect, useRef, useState } from 'react'
import type { MenuItem } from '#contract/menu.ts'
import { UrlLink } from '~/features/catalog/use-banner-link'
import { storeText } from '~/platform/i18n/store-text'
import { type CategoryNode, setCategoryMenu, useCategoryMenu, useCategoryTree } from '~/platform/shell/categories'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import { Icon } from '~/ui/icon'
import { useHydrated } from '~/ui/visibility'
import styles from './category-menu.module.css'
import { useCloseOnLeave } from './drop-menu'

const panelId = 'category-menu'

/** The number of top-level categories in the menu of a new store. */
const shownCategories = 4

/**
 * The category tree, three levels deep, behind one button. Before hydration the panel is a popover,
 * which opens without JavaScript. Afterwards it is in the page, below modals and toasts (see
 * `layer` in the constants). Pointing at a top-level category shows its children. Escape, a press
 * outside, leaving by Tab and every navigation close the panel.
 */
export function CategoryMenu({ categories }: { categories: readonly CategoryNode[] }) {
  const { t } = useLingui()
  const menu = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLElement>(null)
  const hydrated = useHydrated()
  const open = useCategoryMenu()
  const [chosen, setChosen] = useState(categories[0]?.path)

  useLayoutEffect(() => {
    // It was opened before hydration.
    if (panel.current?.matches(':popover-open')) setCategoryMenu(true)
  }, [])
  useCloseOnLeave(menu, open, () => setCategoryMenu(false))

  if (categories.length === 0) return null
  return (
    <div ref={menu}>
      <button
        type="button"
        className={styles.button}
        popoverTarget={hydrated ? undefined : panelId}
        aria-controls={hydrated ? panelId : undefined}
        aria-expanded={hydrated ? open : undefined}
        onClick={() => {
          if (panel.current) limitToViewport(panel.current)
          setCategoryMenu(!open)
        }}
      >
        <Icon name="grid" size="m" />
        <Trans>Browse</Trans>
        <Icon name="chevron-down" size="s" className={styles.chevron} />
      </button>
      <nav
        ref={panel}
        id={panelId}
        popover={hydrated ? undefined : 'auto'}
        hidden={hydrated && !open}
        className={styles.panel}
        aria-label={t`Categories`}
      >
        <ul className={styles.roots}>
          {categories.map((root) => (
            <li key={root.path} className={styles.root} data-chosen={root.path === chosen || undefined}>
              <Link
                to="/products"
                search={{ category: root.path }}
                className={styles.rootLink}
                onPointerEnter={() => setChosen(root.path)}
                onFocus={() => setChosen(root.path)}
              >
                {storeText(root, 'name')}
                <Icon name="chevron-end" size="s" />
              </Link>
              <div className={styles.sheet}>
                <p className={styles.heading}>
                  <Link to="/products" search={{ category: root.path }}>
                    <span>
                      <Trans>All {storeText(root, 'name')}</Trans>
                    </span>
                    <Icon name="arrow-end" size="s" />
                  </Link>
                </p>
                <ul className={styles.groups}>
                  <CategoryLevels
                    groups={root.children}
                    classNames={{ group: styles.group, leaves: styles.leaves, leaf: styles.leaf }}
                  />
                </ul>
              </div>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}

/** Ends the panel at the bottom of the window, whether or not the strip above is scrolled away. */
function limitToViewport(panel: HTMLElement) {
  const header = panel.closest('header')?.getBoundingClientRect()
  if (header) panel.style.setProperty('--header-end', `${header.bottom}px`)
}

interface CategoryLevelsProps {
  groups: readonly CategoryNode[]
  classNames: Record<'group' | 'leaves' | 'leaf', string | undefined>
}

/** The items of the two levels below a top-level category. */
export function CategoryLevels({ groups, classNames }: CategoryLevelsProps) {
  return groups.map((group) => (
    <li key={group.path}>
      <Link to="/products" search={{ category: group.path }} className={classNames.group}>
        {storeText(group, 'name')}
      </Link>
      {group.isChild && (
        <ul className={classNames.leaves}>
          {group.children.map((leaf) => (
            <li key={leaf.path}>
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

interface MenuLinksProps extends Pick<ComponentProps<'a'>, 'className' | 'onBlur'> {
  /** Without where the tree of categories is beside it. */
  withCategories?: boolean
}

/** `defaultMenu` of the contract, whose schemas the first script does not need. */
const usualMenu: readonly MenuItem[] = [{ kind: 'VIDEOS' }, { kind: 'PLANS' }, { kind: 'CATEGORIES' }]

/** What visitors see beside the store's name, in the order that the store has chosen. */
export function MenuLinks({ withCategories = false, ...props }: MenuLinksProps) {
  const { i18n } = useLingui()
  const { menu, base, order } = useSiteSettings()
  const { roots, byPath } = useCategoryTree()
  const categoryLink = (node: CategoryNode | undefined) =>
    withCategories &&
    node && (
      <Link key={node.path} to="/products" search={{ category: node.path }} {...props}>
        {storeText(node, 'name')}
      </Link>
    )
  return (menu ?? usualMenu).map((item) => {
    switch (item.kind) {
      case 'VIDEOS':
        return (
          <Link key="videos" to="/videos" {...props}>
            <Trans>Videos</Trans>
          </Link>
        )
      case 'PLANS':
        return (
          order.useSubscribe && (
            <Link key="plans" to="/plans" {...props}>
              <Trans>Plans</Trans>
            </Link>
          )
        )
      case 'PRODUCTS':
        return (
          <Link key="products" to="/products" {...props}>
            <Trans>All products</Trans>
          </Link>
        )
      case 'CATEGORIES':
        return roots.slice(0, shownCategories).map(categoryLink)
      case 'CATEGORY':
        return categoryLink([...byPath.values()].find(({ id }) => id === item.categoryId))
      case 'LINK': {
        const translated = Object.values(item.titles ?? {})[0]
        return (
          <UrlLink key={item.id} url={item.url} {...props}>
            <bdi lang={translated || i18n.locale === base.locale ? undefined : base.locale}>
              {translated ?? item.title}
            </bdi>
          </UrlLink>
        )
      }
      default:
        return item satisfies never
    }
  })
}
