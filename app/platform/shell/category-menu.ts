import { useSyncExternalStore } from 'react'
import type { Category } from '#contract/catalog.ts'

export interface CategoryNode extends Category {
  /** The specification's derived flag: another category has this one as its parent. */
  isChild: boolean
  children: CategoryNode[]
}

/** The flat list as a tree, in menu order. */
export function categoryTree(categories: readonly Category[]): CategoryNode[] {
  const parents = new Set(categories.map(({ parentId }) => parentId))
  const nodes = new Map<string, CategoryNode>(
    categories.map((category) => [category.id, { ...category, isChild: parents.has(category.id), children: [] }]),
  )
  const roots: CategoryNode[] = []
  for (const node of nodes.values()) {
    const parent = node.parentId ? nodes.get(node.parentId) : undefined
    ;(parent?.children ?? roots).push(node)
  }
  return roots
}

let open = false
const listeners = new Set<() => void>()

/** Opens or closes the category menu. Every navigation closes it. */
export function setCategoryMenu(next: boolean): void {
  if (typeof window === 'undefined' || next === open) return
  open = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useCategoryMenu = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => open,
    () => false,
  )
