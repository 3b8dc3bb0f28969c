import { hashKey, type QueryState } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { packJson, unpackJson } from './packed-json'

interface DehydratedQuery {
  queryKey: readonly unknown[]
  queryHash: string
  dehydratedAt: number
  state: QueryState
}

/** A query that has loaded: its key, its data and the time of the data in milliseconds. */
type LoadedQuery = readonly [queryKey: readonly unknown[], data: unknown, dataUpdatedAt: number]

interface PageState {
  query?: { initial?: DehydratedQuery[]; stream?: ReadableStream }
}

/** The state in the page: the loaded queries as packed text, and what is not loaded. */
interface ShortState {
  query: { loaded: string; others: DehydratedQuery[] }
}

/**
 * Shortens the queries in the state of the page. The cache's own format repeats some 230 bytes for
 * each query that has loaded, and brings 2 kB of script for queries that begin while the page is
 * sent. There are none: pages load all their data first. Call this after the router and the query
 * cache are connected.
 */
export function shortenPageState(router: AnyRouter): void {
  const { dehydrate, hydrate } = router.options
  // A constant of the build, so that the browser does not load what packs.
  if (import.meta.env.SSR && dehydrate) router.options.dehydrate = async () => shortened(await dehydrate())
  if (hydrate) router.options.hydrate = (state) => hydrate(restored(state))
}

const isLoaded = ({ state }: DehydratedQuery) => state.status === 'success' && state.fetchStatus === 'idle'

function shortened(state: PageState | undefined): ShortState | undefined {
  if (!state) return undefined
  const { loaded = [], others = [] } = Object.groupBy(state.query?.initial ?? [], (query) =>
    isLoaded(query) ? 'loaded' : 'others',
  )
  const short = loaded.map(({ queryKey, state }): LoadedQuery => [queryKey, state.data, state.dataUpdatedAt])
  return { ...state, query: { loaded: packJson(short), others } }
}

const restored = ({ query, ...state }: ShortState): PageState => ({
  ...state,
  query: {
    // `shortened` packed these.
    initial: [...(unpackJson(query.loaded) as LoadedQuery[]).map(restore), ...query.others],
    stream: new ReadableStream({ start: (controller) => controller.close() }),
  },
})

function restore([queryKey, data, dataUpdatedAt]: LoadedQuery): DehydratedQuery {
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
