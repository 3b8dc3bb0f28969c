import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { categoriesById } from '#contract/category-paths.ts'
import type { CategoryId } from '#contract/ids.ts'
import { categoriesQuery, type MenuCategory, useCategories } from './shell.functions'

export interface CategoryNode extends MenuCategory {
  /** Of the category whose path this one continues. */
  parentId: CategoryId | null
  /** The specification's derived flag: another category has this one as its parent. */
  isChild: boolean
  children: CategoryNode[]
}

/** The tenant's categories, in menu order. */
export interface CategoryTree {
  roots: readonly CategoryNode[]
  byId: ReadonlyMap<CategoryId, CategoryNode>
  /** By the slugs from the root: `films/landscape`. */
  byPath: ReadonlyMap<string, CategoryNode>
}

const trees = new WeakMap<readonly MenuCategory[], CategoryTree>()

/** Builds the tree of a flat list, once for each list. */
export function categoryTree(categories: readonly MenuCategory[]): CategoryTree {
  const cachedTree = trees.get(categories)
  if (cachedTree) return cachedTree
  const nodes = categories.map(
    (category): CategoryNode => ({ ...category, parentId: null, isChild: false, children: [] }),
  )
  const byPath = new Map(nodes.map((node) => [node.path, node]))
  const roots: CategoryNode[] = []
  for (const node of nodes) {
    const parent = byPath.get(node.path.replace(/\/?[^/]*$/, ''))
    if (parent) {
      parent.isChild = true
      node.parentId = parent.id
    }
    ;(parent?.children ?? roots).push(node)
  }
  const tree = { roots, byId: categoriesById(nodes), byPath }
  trees.set(categories, tree)
  return tree
}

/** The tree of the tenant's categories. */
export const useCategoryTree = (): CategoryTree => categoryTree(useCategories())

const none: readonly MenuCategory[] = []

/** The tree as far as it is loaded, for loaders. */
export const loadedCategoryTree = (queryClient: QueryClient): CategoryTree =>
  categoryTree(queryClient.getQueryData(categoriesQuery.queryKey)?.items ?? none)

let isMenuOpen = false
const listeners = new Set<() => void>()

/** Opens or closes the category menu. Every navigation closes it. */
export function setCategoryMenu(next: boolean): void {
  if (typeof window === 'undefined' || next === isMenuOpen) return
  isMenuOpen = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useCategoryMenu = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => isMenuOpen,
    () => false,
  )
