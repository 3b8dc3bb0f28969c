import type { Category } from '#contract/catalog.ts'
import type { CategoryId } from '#contract/ids.ts'

/** The way from the root to a category, itself included; empty for an unknown one. */
export function pathTo(categories: readonly Category[], id: CategoryId | undefined): Category[] {
  const byId = new Map(categories.map((category) => [category.id, category]))
  const path: Category[] = []
  for (let at = id && byId.get(id); at; at = at.parentId ? byId.get(at.parentId) : undefined) path.unshift(at)
  return path
}

/** The roots, and below each chosen step its children: what a filter shows open. */
export function openTree(categories: readonly Category[], chosen: CategoryId | undefined): Category[] {
  const open = new Set<CategoryId | null>([null, ...pathTo(categories, chosen).map(({ id }) => id)])
  const below = (parent: CategoryId | null): Category[] =>
    categories
      .filter(({ parentId }) => parentId === parent)
      .flatMap((category) => [category, ...(open.has(category.id) ? below(category.id) : [])])
  return below(null)
}
