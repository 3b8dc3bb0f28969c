import type { CSSProperties } from 'react'
import { langOf } from '~/platform/i18n/locales'
import { storeText } from '~/platform/i18n/store-text'
import type { PlacedBanner } from '~/platform/shell/categories'
import { renderAs } from '~/ui/element'
import { Icon } from '~/ui/icon'
import { Picture } from '~/ui/picture'
import { Prose } from '~/ui/prose'
import type { HtmlList } from '../products.functions'
import { bannerLink } from '../use-banner-link'
import styles from './banner-row.module.css'
import { useHtmlList } from './product-lists'

/** GRID banners: small picture tiles, side by side. */
export function BannerGrid({ banners, label }: { banners: HtmlList<PlacedBanner>; label: string }) {
  const list = useHtmlList(banners, (banner) => ({
    shown: ['tile', banner],
    element: (
      <li key={banner.id}>
        <BannerTile banner={banner} sizes="(min-width: 60rem) 25vw, 50vw" />
      </li>
    ),
  }))
  return (
    <section aria-label={label}>
      <ul {...list} className={styles.grid} />
    </section>
  )
}

/** A BANNER: one wide picture between two sections. */
export function WideBanner({ banner }: { banner: HtmlList<PlacedBanner> }) {
  const list = useHtmlList(banner, (one) => ({
    shown: ['wide', one],
    element: <BannerTile key={one.id} banner={one} sizes="100vw" broad />,
  }))
  return <div {...list} />
}

/** CUSTOM banners: the tenant's own rich text. */
export function CustomBanners({ banners }: { banners: HtmlList<PlacedBanner> }) {
  // Rich text may lead to files, which are no pages.
  const { onClick, ...list } = useHtmlList(banners, (banner) => ({
    shown: ['custom', banner],
    element: (
      <section key={banner.id} className={styles.custom} aria-label={banner.title} lang={langOf(banner, 'title')}>
        <Prose html={banner.html ?? ''} lang={langOf(banner, 'html')} />
      </section>
    ),
  }))
  return <div {...list} className={styles.customs} />
}

function BannerTile({ banner, sizes, broad }: { banner: PlacedBanner; sizes: string; broad?: boolean }) {
  const link = bannerLink(banner.link)
  const colour: CSSProperties & Record<'--picture-color', string | undefined> = {
    '--picture-color': banner.imageDesktop?.color,
  }
  return (
    <article
      className={broad ? styles.broad : styles.tile}
      data-theme={banner.tone === 'LIGHT' ? 'dark' : 'light'}
      data-tone={banner.tone}
      style={colour}
    >
      {banner.imageDesktop && (
        <Picture
          className={styles.picture}
          picture={banner.imageDesktop}
          sizes={sizes}
          small={!broad}
          decorative
          rounded={false}
        />
      )}
      <div className={styles.words}>
        <h2 className={styles.title}>
          {link ? renderAs(link, { className: styles.link }, storeText(banner, 'title')) : storeText(banner, 'title')}
        </h2>
        {banner.text && <p className={styles.text}>{storeText(banner, 'text')}</p>}
        {link && banner.label && (
          <span className={styles.label} aria-hidden>
            {storeText(banner, 'label')}
            <Icon name="arrow-end" size="s" />
          </span>
        )}
      </div>
    </article>
  )
}
