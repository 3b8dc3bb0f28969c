import type { Category } from '#contract/catalog.ts'

export interface CategoryNode extends Category {
  /** The specification's derived mark: some other category has this one as its parent. */
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
