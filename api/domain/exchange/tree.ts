import { writePath } from './lists.ts'
import type { CategoryTree } from './table.ts'

export interface TreeNode {
  id: string
  parentId: string | null
  name: string
}

/** The categories of a store by their paths. Two of one path are told apart by nobody: the first counts. */
export const treeOf = (nodes: readonly TreeNode[]): CategoryTree & { paths: Map<string, string> } => {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const lineOf = (id: string): string[] => {
    const line: string[] = []
    for (let node = byId.get(id); node && !line.includes(node.id); node = byId.get(node.parentId ?? ''))
      line.push(node.id)
    return line
  }
  const pathOf = (id: string) =>
    byId.has(id)
      ? writePath(
          lineOf(id)
            .reverse()
            .map((one) => byId.get(one)?.name ?? ''),
        )
      : undefined
  const ids = new Map<string, string>()
  const paths = new Map<string, string>()
  for (const { id } of nodes) {
    const path = pathOf(id) ?? ''
    const key = path.toLowerCase()
    if (ids.has(key)) continue
    ids.set(key, id)
    paths.set(key, path)
  }
  return { lineOf, pathOf, paths, idOf: (path) => ids.get(path.toLowerCase()) }
}
