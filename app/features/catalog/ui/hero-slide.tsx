import { Trans } from '@lingui/react/macro'
import type { CSSProperties } from 'react'
import type { Banner } from '#contract/content.ts'
import { langOf } from '~/platform/i18n/locales'
import { storeText } from '~/platform/i18n/store-text'
import { Button } from '~/ui/button'
import { AvifSource, widthsOf } from '~/ui/picture'
import { useBannerLink } from './banner-link'
import styles from './hero-slider.module.css'

interface HeroSlideProps {
  banner: Banner
  /** The one that is seen before anything is loaded. */
  first: boolean
  /** Out of view: not to be reached by keyboard. */
  hidden: boolean
}

const narrowScreens = '(max-width: 40rem)'

export function HeroSlide({ banner, first, hidden }: HeroSlideProps) {
  const { imageDesktop, imageMobile, title, text, label } = banner
  const link = useBannerLink(banner.link)
  const Heading = first ? 'h1' : 'h2'
  const colour: CSSProperties & Record<'--picture-color', string | undefined> = {
    '--picture-color': imageDesktop?.color,
  }
  return (
    <li
      className={styles.slide}
      data-theme={banner.tone === 'LIGHT' ? 'dark' : 'light'}
      data-tone={banner.tone}
      style={colour}
      inert={hidden && !first}
    >
      {imageDesktop && (
        <picture>
          {imageMobile && (
            <>
              <AvifSource picture={imageMobile} sizes="100vw" media={narrowScreens} />
              <source media={narrowScreens} srcSet={imageMobile.url} {...widthsOf(imageMobile, '100vw')} />
            </>
          )}
          <AvifSource picture={imageDesktop} sizes="100vw" />
          <img
            className={styles.image}
            src={imageDesktop.url}
            {...widthsOf(imageDesktop, '100vw')}
            width={imageDesktop.width}
            height={imageDesktop.height}
            alt=""
            loading={first ? 'eager' : 'lazy'}
            fetchPriority={first ? 'high' : 'low'}
          />
        </picture>
      )}
      <div className={styles.words}>
        <Heading className={styles.title} lang={langOf(banner, 'title')} dir="auto">
          {title}
        </Heading>
        {text && (
          <p className={styles.text}>
            <bdi lang={langOf(banner, 'text')}>{text}</bdi>
          </p>
        )}
        {link && (
          <Button variant="inverse" size="l" render={link}>
            {label ? storeText(banner, 'label') : <Trans>Learn more</Trans>}
          </Button>
        )}
      </div>
    </li>
  )
}
