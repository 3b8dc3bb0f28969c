import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import type { ReactNode } from 'react'
import type { ProductId } from '#contract/ids.ts'
import { useDismiss } from '~/features/playback/use-dismiss'
import { WatchingRail } from '~/parts/watching-rail'
import { isNewVisitor } from '~/platform/cookies'
import { siteName } from '~/platform/document/head'
import { hydratedLater, inSuspense } from '~/platform/hydration-boundary'
import { withMessages } from '~/platform/i18n/i18n'
import { storeText } from '~/platform/i18n/store-text'
import { useMe, useSiteSettings } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { homeQuery, type PersonalSections, personalSectionsQuery } from '../home.functions'
import type { ProductsSearch } from '../products.search'
import { BannerGrid, CustomBanners, WideBanner } from './banner-row'
import { HeroSlider as HeroSliderNow } from './hero-slider'
import styles from './home-page.module.css'
import { ProductRail } from './product-lists'
import { ProductTile } from './product-tile'

const HeroSlider = createIsomorphicFn()
  .server(() => inSuspense(HeroSliderNow))
  .client(() => hydratedLater(() => withMessages(import('./hero-slider')).then((part) => part.HeroSlider)))()

/** The heading of a home page without a slider. */
function HomeTitle() {
  const settings = useSiteSettings()
  return (
    <header className={styles.title}>
      <h1>{siteName(settings)}</h1>
      {settings.seo.description && (
        <p className={styles.lead} lang={settings.languages['seo.description']} dir="auto">
          {settings.seo.description}
        </p>
      )}
    </header>
  )
}

export function HomePage() {
  const { t } = useLingui()
  const { banners, newest, mostPlayed, sections } = useSuspenseQuery(homeQuery).data
  const isKnown = useMe() !== null || !isNewVisitor()
  const personal = useQuery({ ...personalSectionsQuery, enabled: typeof window !== 'undefined' && isKnown }).data
  const dismiss = useDismiss(personalSectionsQuery.queryKey, withoutWatched)
  const { slides, grid, custom } = banners
  const [firstWide, ...wide] = banners.wide

  return (
    <>
      <HeroSlider banners={slides} />
      <div className={styles.sections}>
        {slides.length === 0 && <HomeTitle />}
        {personal && (
          <>
            {personal.watching.length > 0 && (
              <WatchingRail
                products={personal.watching}
                card={(product, remove) => <ProductTile product={product} resume action={remove} />}
                onDismiss={dismiss}
              />
            )}
            <ProductRail title={<Trans>Recently viewed</Trans>} list={personal.viewed} />
          </>
        )}
        <ProductRail
          title={<Trans>New arrivals</Trans>}
          list={newest}
          action={<SeeAll search={{ sort: 'createdAt,DESC' }} name={t`New arrivals`} />}
        />
        {grid.count > 0 && <BannerGrid banners={grid} label={t`Highlights`} />}
        <ProductRail
          title={<Trans>Most played</Trans>}
          list={mostPlayed}
          action={<SeeAll search={{ sort: 'countOfPlays,DESC' }} name={t`Most played`} />}
        />
        {firstWide && <WideBanner banner={firstWide} />}
        {sections.map(({ category, products }, at) => (
          <CategorySection key={category.id} banner={wide[at] && <WideBanner banner={wide[at]} />}>
            <ProductRail
              title={storeText(category, 'name')}
              list={products}
              action={<SeeAll search={{ category: category.path }} name={category.name} />}
            />
          </CategorySection>
        ))}
        {custom.count > 0 && <CustomBanners banners={custom} />}
        {newest.count === 0 && (
          <EmptyState
            icon="film"
            title={<Trans>Nothing here yet</Trans>}
            actions={<Button render={<Link to="/notices" />}>{t`View notices`}</Button>}
          >
            <Trans>New titles will appear here.</Trans>
          </EmptyState>
        )}
      </div>
    </>
  )
}

const withoutWatched = (sections: PersonalSections, removed: ProductId) => ({
  ...sections,
  watching: sections.watching.filter(({ id }) => id !== removed),
})

function CategorySection({ children, banner }: { children: ReactNode; banner: ReactNode }) {
  return (
    <>
      {children}
      {banner}
    </>
  )
}

function SeeAll({ search, name }: { search: ProductsSearch; name: string }) {
  const { t } = useLingui()
  return (
    <Link to="/products" search={search} className={styles.seeAll} aria-label={t`See all: ${name}`}>
      <Trans>See all</Trans>
    </Link>
  )
}
