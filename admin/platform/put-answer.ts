import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Makes the answer of a write the data of a query. A read of the query that is under way may have
 * begun before the write, so it is given up.
 */
export const putAnswer = async (queryClient: QueryClient, queryKey: QueryKey, answer: unknown): Promise<void> => {
  await queryClient.cancelQueries({ queryKey, exact: true })
  queryClient.setQueryData(queryKey, answer)
}
