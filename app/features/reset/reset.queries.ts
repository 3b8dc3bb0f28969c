import { queryOptions } from '@tanstack/react-query'
import { call } from '~/platform/api/call'
import { confirmKey } from './reset.functions'

/** Whether an access key still opens. Asked each time, and not kept. */
export const accessKeyQuery = (accessKey: string) =>
  queryOptions({
    queryKey: ['access-key', accessKey],
    queryFn: ({ signal }) => call((s) => confirmKey({ data: { accessKey }, signal: s }), { signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
