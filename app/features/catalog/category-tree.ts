import type { Category } from '#contract/catalog.ts'
import type { CategoryId } from '#contract/ids.ts'

/** The categories from the root to the one of a path of slugs, itself included; empty for an unknown one. */
export function pathTo(categories: readonly Category[], slugs: string | undefined): Category[] {
  const byId = new Map(categories.map((category) => [category.id, category]))
  const line: Category[] = []
  for (let at = categories.find(({ path }) => path === slugs); at; at = at.parentId ? byId.get(at.parentId) : undefined)
    line.unshift(at)
  return line
}

/** The roots, and below each chosen step its children: what a filter shows open. */
export function openTree(categories: readonly Category[], chosen: string | undefined): Category[] {
  const open = new Set<CategoryId | null>([null, ...pathTo(categories, chosen).map(({ id }) => id)])
  const below = (parent: CategoryId | null): Category[] =>
    categories
      .filter(({ parentId }) => parentId === parent)
      .flatMap((category) => [category, ...(open.has(category.id) ? below(category.id) : [])])
  return below(null)
}
