import type { Category } from '#contract/catalog.ts'

export interface CategoryNode extends Category {
  children: CategoryNode[]
}

/** The flat list as a tree, in menu order. */
export function categoryTree(categories: readonly Category[]): CategoryNode[] {
  const nodes = new Map(categories.map((category) => [category.id, { ...category, children: [] as CategoryNode[] }]))
  const roots: CategoryNode[] = []
  for (const node of nodes.values()) {
    const parent = node.parentId ? nodes.get(node.parentId) : undefined
    ;(parent?.children ?? roots).push(node)
  }
  return roots
}

/** The specification's derived mark: some other category has this one as its parent. */
export const isChild = (category: Category, categories: readonly Category[]): boolean =>
  categories.some(({ parentId }) => parentId === category.id)
