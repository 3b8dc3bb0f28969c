import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import type { ProductId } from '#contract/ids.ts'
import { useDismiss } from '~/features/playback/use-dismiss'
import { WatchingRail } from '~/parts/watching-rail'
import { isNewVisitor } from '~/platform/cookies'
import { siteName } from '~/platform/document/head'
import { hydratedLater, inSuspense } from '~/platform/hydration-boundary'
import { withMessages } from '~/platform/i18n/i18n'
import { storeText } from '~/platform/i18n/store-text'
import { useLoaded, useMe, useSiteSettings } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { homeQuery, type PersonalSections, personalSectionsQuery, type ShownSection } from '../home.functions'
import type { ProductsSearch } from '../products.search'
import { BannerGrid, CustomBanners, WideBanner } from './banner-row'
import { HeroSlider as HeroSliderNow } from './hero-slider'
import styles from './home-page.module.css'
import { ProductRail } from './product-lists'
import { ResumeCard } from './product-tile'

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
  const { slides, sections } = useSuspenseQuery(homeQuery).data
  const isKnown = useMe() !== null || !isNewVisitor()
  const personal = useLoaded({ ...personalSectionsQuery, enabled: typeof window !== 'undefined' && isKnown })
  const isEmpty =
    (slides.count === 0 && sections.every(isPersonal)) ||
    sections.some((section) => section.kind === 'NEWEST' && section.products.count === 0)

  return (
    <>
      <HeroSlider slides={slides} />
      <div className={styles.sections}>
        {slides.count === 0 && <HomeTitle />}
        {sections.map((section, at) => (
          // The sections of a page neither change nor move.
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no other
          <Section key={at} section={section} personal={personal} />
        ))}
        {isEmpty && (
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

const isPersonal = ({ kind }: ShownSection) => kind === 'WATCHING' || kind === 'VIEWED'

interface SectionProps {
  section: ShownSection
  personal: PersonalSections | undefined
}

function Section({ section, personal }: SectionProps) {
  const { t } = useLingui()
  switch (section.kind) {
    case 'WATCHING':
      return personal && personal.watching.length > 0 ? <Watching products={personal.watching} /> : null
    case 'VIEWED':
      return personal ? (
        <ProductRail title={<Trans>Recently viewed</Trans>} shown={['viewed']} list={personal.viewed} />
      ) : null
    case 'NEWEST':
      return (
        <ProductRail
          title={<Trans>New arrivals</Trans>}
          shown={['newest']}
          list={section.products}
          action={<SeeAll search={{ sort: 'createdAt,DESC' }} name={t`New arrivals`} />}
        />
      )
    case 'MOST_PLAYED':
      return (
        <ProductRail
          title={<Trans>Most played</Trans>}
          shown={['most played']}
          list={section.products}
          action={<SeeAll search={{ sort: 'countOfPlays,DESC' }} name={t`Most played`} />}
        />
      )
    case 'CATEGORY': {
      const { category, own, products } = section
      return (
        <ProductRail
          title={own ? storeText(own, 'title') : storeText(category, 'name')}
          shown={['category', category, own]}
          list={products}
          action={<SeeAll search={{ category: category.path }} name={own?.title ?? category.name} />}
        />
      )
    }
    case 'PRODUCTS':
      return (
        <ProductRail
          title={storeText(section, 'title')}
          shown={['chosen', section.title, section.languages]}
          list={section.products}
        />
      )
    case 'GRID_BANNERS':
      return <BannerGrid banners={section.banners} label={t`Highlights`} />
    case 'WIDE_BANNER':
      return <WideBanner banner={section.banners} />
    case 'CUSTOM_BANNERS':
      return <CustomBanners banners={section.banners} />
    default:
      return section satisfies never
  }
}

function Watching({ products }: { products: PersonalSections['watching'] }) {
  const dismiss = useDismiss(personalSectionsQuery.queryKey, withoutWatched)
  return (
    <WatchingRail
      products={products}
      card={(product, remove) => <ResumeCard product={product} action={remove} />}
      onDismiss={dismiss}
    />
  )
}

const withoutWatched = (sections: PersonalSections, removed: ProductId) => ({
  ...sections,
  watching: sections.watching.filter(({ id }) => id !== removed),
})

function SeeAll({ search, name }: { search: ProductsSearch; name: string }) {
  const { t } = useLingui()
  return (
    <Link to="/products" search={search} className={styles.seeAll} aria-label={t`See all: ${name}`}>
      <Trans>See all</Trans>
    </Link>
  )
}
