import { hashKey, type QueryState } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'

interface DehydratedQuery {
  queryKey: readonly unknown[]
  queryHash: string
  dehydratedAt: number
  state: QueryState
}

/** A query that has loaded: its key, its data and the time of the data in milliseconds. */
type LoadedQuery = readonly [queryKey: readonly unknown[], data: unknown, dataUpdatedAt: number]

interface PageState<Query> {
  query?: { initial?: Query[]; stream?: ReadableStream }
}

/**
 * Shortens the queries in the state of the page. The cache's own format repeats some 230 bytes for
 * each query that has loaded, and brings 2 kB of script for queries that begin while the page is
 * sent. There are none: pages load all their data first. Call this after the router and the query
 * cache are connected.
 */
export function shortenPageState(router: AnyRouter): void {
  const { dehydrate, hydrate } = router.options
  if (dehydrate) router.options.dehydrate = async () => shortened(await dehydrate())
  if (hydrate) router.options.hydrate = (state) => hydrate(restored(state))
}

const shortened = (state: PageState<DehydratedQuery> | undefined) =>
  state && { ...state, query: { initial: state.query?.initial?.map(shorten) } }

const restored = (state: PageState<DehydratedQuery | LoadedQuery>) => ({
  ...state,
  query: {
    initial: state.query?.initial?.map(restore),
    stream: new ReadableStream({ start: (controller) => controller.close() }),
  },
})

const shorten = (query: DehydratedQuery): DehydratedQuery | LoadedQuery =>
  query.state.status === 'success' && query.state.fetchStatus === 'idle'
    ? [query.queryKey, query.state.data, query.state.dataUpdatedAt]
    : query

function restore(query: DehydratedQuery | LoadedQuery): DehydratedQuery {
  if (!isLoaded(query)) return query
  const [queryKey, data, dataUpdatedAt] = query
  return {
    queryKey,
    queryHash: hashKey(queryKey),
    dehydratedAt: dataUpdatedAt,
    state: {
      data,
      dataUpdateCount: 1,
      dataUpdatedAt,
      error: null,
      errorUpdateCount: 0,
      errorUpdatedAt: 0,
      fetchFailureCount: 0,
      fetchFailureReason: null,
      fetchMeta: null,
      isInvalidated: false,
      status: 'success',
      fetchStatus: 'idle',
    },
  }
}

const isLoaded = (query: DehydratedQuery | LoadedQuery): query is LoadedQuery => Array.isArray(query)
