import { createFileRoute } from '@tanstack/react-router'
import { homeQuery, personalSectionsQuery } from '~/features/catalog/home.functions'
import { HomePage } from '~/features/catalog/ui/home-page'
import { homeHead } from '~/platform/document/head'
import { meQuery } from '~/platform/shell/shell.functions'
import { HomeSkeleton } from '~/site/layout/later-parts'

export const Route = createFileRoute('/')({
  loader: async ({ context: { queryClient } }) => {
    // A member's page is never cached for others, so it may include personal sections. Guests'
    // pages are the same for all.
    const member = queryClient.getQueryData(meQuery.queryKey)
    const [{ banners, newest }] = await Promise.all([
      queryClient.ensureQueryData(homeQuery),
      member && queryClient.prefetchQuery(personalSectionsQuery),
    ])
    return {
      picture: banners.find(({ imageDesktop }) => imageDesktop)?.imageDesktop ?? newest.tiles?.[0]?.poster ?? null,
    }
  },
  head: ({ match, loaderData }) => homeHead(match.context, loaderData?.picture),
  component: HomePage,
  pendingComponent: HomeSkeleton,
})
