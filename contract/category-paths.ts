import type { CategoryId } from './ids.ts'

interface TreeNode {
  id: CategoryId
  parentId: CategoryId | null
}

export const categoriesById = <Node extends TreeNode>(nodes: readonly Node[]): ReadonlyMap<CategoryId, Node> =>
  new Map(nodes.map((node) => [node.id, node]))

/**
 * Returns a category and its ancestors, starting at the root. Empty if it does not exist. A
 * category that is its own ancestor ends the path.
 */
export const pathFromRoot = <Node extends TreeNode>(
  byId: ReadonlyMap<CategoryId, Node>,
  id: CategoryId | null | undefined,
): Node[] => {
  const path: Node[] = []
  for (let node = id ? byId.get(id) : undefined; node; node = node.parentId ? byId.get(node.parentId) : undefined) {
    if (path.includes(node)) break
    path.unshift(node)
  }
  return path
}

/** The ids of a category and its ancestors, starting at the root. */
export const pathIds = (byId: ReadonlyMap<CategoryId, TreeNode>, id: CategoryId): CategoryId[] =>
  pathFromRoot(byId, id).map((node) => node.id)

/** Of some categories, those that are no ancestors of others. */
export const withoutAncestors = (byId: ReadonlyMap<CategoryId, TreeNode>, ids: readonly CategoryId[]): CategoryId[] => {
  const above = new Set(ids.flatMap((id) => pathIds(byId, id).slice(0, -1)))
  return ids.filter((id) => !above.has(id))
}
