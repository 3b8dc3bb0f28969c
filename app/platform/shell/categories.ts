import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Category } from '#contract/catalog.ts'
import type { Banner, BannerLink } from '#contract/content.ts'
import { categoriesQuery, type MenuCategory, useCategories } from './shell.functions'

export interface CategoryNode extends MenuCategory {
  /** The specification's derived flag: another category has this one as its parent. */
  isChild: boolean
  children: CategoryNode[]
}

/** The tenant's categories, in menu order. */
export interface CategoryTree {
  roots: readonly CategoryNode[]
  /** By the slugs from the root: `films/landscape`. */
  byPath: ReadonlyMap<string, CategoryNode>
}

const trees = new WeakMap<readonly MenuCategory[], CategoryTree>()

const parentPath = (path: string) => path.replace(/\/?[^/]*$/, '')

/** Builds the tree of a flat list, once for each list. */
export function categoryTree(categories: readonly MenuCategory[]): CategoryTree {
  const cachedTree = trees.get(categories)
  if (cachedTree) return cachedTree
  const nodes = categories.map((category): CategoryNode => ({ ...category, isChild: false, children: [] }))
  const byPath = new Map(nodes.map((node) => [node.path, node]))
  const roots: CategoryNode[] = []
  for (const node of nodes) {
    const parent = byPath.get(parentPath(node.path))
    if (parent) parent.isChild = true
    ;(parent?.children ?? roots).push(node)
  }
  const tree = { roots, byPath }
  trees.set(categories, tree)
  return tree
}

/** The category of a path and those above it, starting at the root. Empty if it does not exist. */
export function pathTo({ byPath }: CategoryTree, path: string | undefined): CategoryNode[] {
  const nodes: CategoryNode[] = []
  for (let node = byPath.get(path ?? ''); node; node = byPath.get(parentPath(node.path))) nodes.unshift(node)
  return nodes
}

/** The target of a banner, with the path of a category in place of its id. */
export type PlacedLink = Exclude<BannerLink, { target: 'CATEGORY' }> | { target: 'CATEGORY'; path: string }

/** A banner as pages show it. */
export type PlacedBanner = Omit<Banner, 'link'> & { link: PlacedLink | null }

/** Without a link where its category no longer exists. */
export function placeBanner(banner: Banner, categories: readonly Category[]): PlacedBanner {
  const { link } = banner
  if (link?.target !== 'CATEGORY') return { ...banner, link }
  const path = categories.find(({ id }) => id === link.categoryId)?.path
  return { ...banner, link: path === undefined ? null : { target: 'CATEGORY', path } }
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
