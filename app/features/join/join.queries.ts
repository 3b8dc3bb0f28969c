import { queryOptions } from '@tanstack/react-query'
import { call } from '~/platform/api/call'
import { getJoinStep, takeCompletion } from './join.functions'

/** How far the join has come. */
export const joinStepQuery = queryOptions({
  queryKey: ['join-step'],
  queryFn: ({ signal }) => call((s) => getJoinStep({ signal: s }), { signal }),
  staleTime: 10_000,
})

/** Told once, and then kept for as long as the page is open. */
export const completionQuery = queryOptions({
  queryKey: ['join-completion'],
  queryFn: ({ signal }) => call((s) => takeCompletion({ signal: s }), { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})
