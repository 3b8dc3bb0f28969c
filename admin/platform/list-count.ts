import type { ListCount } from '#contract/admin/lists.ts'

/** Counts what fits the filters of a list. */
export interface CountQuery {
  queryKey: readonly unknown[]
  queryFn: () => Promise<ListCount>
}

/**
 * The query that counts what fits the filters of a list, whatever its page: `input` is what a page
 * is read with. Its key begins with the list's, so that changes of the list load it again.
 */
export const countQuery = <Input extends object>(
  list: readonly string[],
  input: Input,
  count: (filters: Omit<Input, 'cursor' | 'size'>) => Promise<ListCount>,
): CountQuery => {
  const { cursor: _, size: _size, ...filters }: Input & { cursor?: unknown; size?: unknown } = input
  return { queryKey: [...list, 'count', filters], queryFn: () => count(filters) }
}
