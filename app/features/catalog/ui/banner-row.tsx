import type { CSSProperties } from 'react'
import type { Banner } from '#contract/content.ts'
import { SharedElement } from '~/platform/document/html-parts'
import { langOf } from '~/platform/i18n/locales'
import { storeText } from '~/platform/i18n/store-text'
import { useCategories } from '~/platform/shell/shell.functions'
import { renderAs } from '~/ui/element'
import { Icon } from '~/ui/icon'
import { Picture } from '~/ui/picture'
import { Prose } from '~/ui/prose'
import { useBannerLink } from '../use-banner-link'
import styles from './banner-row.module.css'

/** GRID banners: small picture tiles, side by side. */
export function BannerGrid({ banners, label }: { banners: readonly Banner[]; label: string }) {
  if (banners.length === 0) return null
  return (
    <section aria-label={label}>
      <ul className={styles.grid}>
        {banners.map((banner) => (
          <li key={banner.id}>
            <BannerTile banner={banner} sizes="(min-width: 60rem) 25vw, 50vw" />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A BANNER: one wide picture between two sections. */
export function WideBanner({ banner }: { banner: Banner }) {
  return <BannerTile banner={banner} sizes="100vw" broad />
}

/** A CUSTOM banner: the tenant's own rich text. */
export function CustomBanner({ banner }: { banner: Banner }) {
  if (!banner.html) return null
  return (
    <section className={styles.custom} aria-label={banner.title} lang={langOf(banner, 'title')}>
      <Prose html={banner.html} lang={langOf(banner, 'html')} />
    </section>
  )
}

function BannerTile({ banner, sizes, broad }: { banner: Banner; sizes: string; broad?: boolean }) {
  const link = useBannerLink(banner.link)
  const categories = useCategories()
  const colour: CSSProperties & Record<'--picture-color', string | undefined> = {
    '--picture-color': banner.imageDesktop?.color,
  }
  return (
    <SharedElement
      as="article"
      shown={['banner', banner, sizes, categories]}
      className={broad ? styles.broad : styles.tile}
      data-theme={banner.tone === 'LIGHT' ? 'dark' : 'light'}
      data-tone={banner.tone}
      style={colour}
    >
      {banner.imageDesktop && (
        <Picture className={styles.picture} picture={banner.imageDesktop} sizes={sizes} decorative rounded={false} />
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
    </SharedElement>
  )
}
