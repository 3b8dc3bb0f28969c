import { createFileRoute, notFound, redirect } from '@tanstack/react-router'
import { loadProductToWatch, prefetchWatchedStream, watchSearch } from '~/features/playback/playback.functions'
import { WatchPage } from '~/features/playback/ui/watch-page'
import { isWatchable } from '~/features/playback/use-watch-links'
import { orNotFound } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { pageHead } from '~/platform/document/head'
import { WatchPending } from '~/site/layout/later-parts'

export const Route = createFileRoute('/products/$code_/watch')({
  staticData: { content: true },
  validateSearch: watchSearch,
  loader: async ({ context, params, location, cause }) => {
    try {
      const product = await orNotFound(loadProductToWatch(context.queryClient, params.code))
      if (!isWatchable(product)) throw redirect({ to: '/products/$code', params })
      if (cause === 'enter') prefetchWatchedStream(product, watchSearch.parse(location.search))
      // The page's component reads the rest from the cache.
      const { title, poster } = product
      return { title, poster }
    } catch (error) {
      throw problemOf(error)?.status === 410 ? notFound() : error
    }
  },
  head: ({ match, loaderData }) =>
    loaderData
      ? pageHead(match.context, {
          title: loaderData.title,
          image: loaderData.poster,
          type: 'video.other',
          noindex: true,
        })
      : { meta: [] },
  pendingComponent: WatchPending,
  component: Watch,
})

function Watch() {
  const { code } = Route.useParams()
  return <WatchPage code={code} search={Route.useSearch()} />
}
