import { queryOptions } from '@tanstack/react-query'
import { call } from '~/platform/api/call'
import { shellFreshness } from '~/platform/constants'
import { getFrame } from './frame.functions'

/** A page without its strip and its footer links is still a page, so a failure here is not reported. */
const anyFailure = [0, 400, 401, 403, 404, 429, 500, 502, 503, 504]

export const frameQuery = queryOptions({
  queryKey: ['frame'],
  queryFn: ({ signal }) => call((s) => getFrame({ signal: s }), { signal, expected: anyFailure }),
  staleTime: shellFreshness * 5,
})
