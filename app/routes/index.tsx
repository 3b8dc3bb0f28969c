import { createFileRoute } from '@tanstack/react-router'
import { homeQuery, personalSectionsQuery } from '~/features/catalog/home.functions'
import { HomePage } from '~/features/catalog/ui/home-page'
import { homeHead } from '~/platform/document/head'
import type { PlacedBanner } from '~/platform/shell/categories'
import { meQuery, siteSettingsQuery } from '~/platform/shell/shell.functions'
import { HomeSkeleton } from '~/site/layout/later-parts'

const pictureOf = (banners: readonly PlacedBanner[]) => banners.find(({ imageDesktop }) => imageDesktop)?.imageDesktop

export const Route = createFileRoute('/')({
  loader: async ({ context: { queryClient } }) => {
    // A member's page is never cached for others, so it may include personal sections. Guests'
    // pages are the same for all.
    const member = queryClient.getQueryData(meQuery.queryKey)
    const [{ slides, sections }] = await Promise.all([
      queryClient.ensureQueryData(homeQuery),
      member && queryClient.prefetchQuery(personalSectionsQuery),
    ])
    // The store's own picture is in its settings.
    if (queryClient.getQueryData(siteSettingsQuery.queryKey)?.seo.ogImagePublicUrl) return {}
    const others = sections.flatMap((section) => ('banners' in section ? (section.banners.tiles ?? []) : []))
    const products = sections.flatMap((section) => ('products' in section ? (section.products.tiles ?? []) : []))
    const picture = pictureOf(slides.tiles ?? []) ?? pictureOf(others) ?? products[0]?.poster
    return picture
      ? { picture: { url: picture.url, alt: picture.alt, width: picture.width, height: picture.height } }
      : {}
  },
  head: ({ match, loaderData }) => homeHead(match.context, loaderData?.picture),
  component: HomePage,
  pendingComponent: HomeSkeleton,
})
