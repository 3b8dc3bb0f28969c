import { Trans, useLingui } from '@lingui/react/macro'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { langOf } from '~/platform/i18n/locales'
import { storeText } from '~/platform/i18n/store-text'
import type { PlacedBanner } from '~/platform/shell/categories'
import { Button, IconButton } from '~/ui/button'
import { AvifSource, type PictureSource, singleWidth } from '~/ui/picture'
import { ScriptOnly } from '~/ui/visibility'
import type { Slides } from '../home.functions'
import { bannerLink } from '../use-banner-link'
import styles from './hero-slider.module.css'
import { useHtmlList } from './product-lists'

interface HeroSlideProps {
  banner: PlacedBanner
  /** The slide that is shown first. */
  first: boolean
}

const narrowScreens = '(max-width: 40rem)'
/** Pixels: no wider screen shows a narrower picture, and phones have two dots a pixel or more. */
const [minNarrow, minWide] = [640, 960]
/** Widths in pixels for browsers without AVIF. */
const [onlyNarrow, onlyWide] = [640, 1280]

const narrowSource = (picture: PictureSource) => {
  const { src, ...widths } = singleWidth(picture, '100vw', onlyNarrow)
  return { srcSet: src, ...widths }
}

function HeroSlide({ banner, first }: HeroSlideProps) {
  const { imageDesktop, imageMobile, title, text, label } = banner
  const link = bannerLink(banner.link)
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
    >
      {imageDesktop && (
        <picture>
          {imageMobile && (
            <>
              <AvifSource picture={imageMobile} sizes="100vw" media={narrowScreens} from={minNarrow} />
              <source media={narrowScreens} {...narrowSource(imageMobile)} />
            </>
          )}
          <AvifSource picture={imageDesktop} sizes="100vw" from={minWide} />
          <img
            className={styles.image}
            {...singleWidth(imageDesktop, '100vw', onlyWide)}
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

const autoplayMilliseconds = 7_000

/** The list of the slides, whose items can be HTML that React does not know. */
const trackOf = (hero: HTMLElement | null) => hero?.firstElementChild

/** Lets the slides out of view load their pictures. `watchScrolling` does so when it scrolls. */
const loadPictures = (hero: HTMLElement | null) => trackOf(hero)?.setAttribute('data-scrolled', '')

/**
 * The home page's slider. It advances until the visitor takes control. Without JavaScript it
 * scrolls.
 */
export function HeroSlider({ slides }: { slides: Slides }) {
  const { t } = useLingui()
  const hero = useRef<HTMLElement>(null)
  const [current, setCurrent] = useState(0)
  const [autoplay, setAutoplay] = useState(true)
  const [paused, setPaused] = useState(false)
  const { titles } = slides
  const several = titles.length > 1
  const list = useHtmlList(slides, (banner, at) => ({
    shown: ['slide', banner, at === 0],
    element: <HeroSlide key={banner.id} banner={banner} first={at === 0} />,
  }))

  const show = (next: number) => {
    const row = trackOf(hero.current)
    const slide = row?.children[(next + titles.length) % titles.length]
    if (!(row instanceof HTMLElement && slide instanceof HTMLElement)) return
    row.scrollTo({ left: slide.offsetLeft - row.offsetLeft })
  }

  useEffect(() => {
    if (!several || !autoplay || paused || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const loading = setTimeout(() => loadPictures(hero.current), autoplayMilliseconds / 2)
    const timer = setTimeout(() => document.visibilityState === 'visible' && show(current + 1), autoplayMilliseconds)
    return () => {
      clearTimeout(loading)
      clearTimeout(timer)
    }
  })

  // Slides out of view are not reached by keyboard. Without JavaScript all of them are.
  useEffect(() => {
    for (const [at, slide] of [...(trackOf(hero.current)?.children ?? [])].entries())
      slide.toggleAttribute('inert', at !== current)
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: other slides have other elements
  useEffect(() => {
    const row = trackOf(hero.current)
    if (!row) return
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          if (isIntersecting) setCurrent([...row.children].indexOf(target))
        }
      },
      { root: row, threshold: 0.6 },
    )
    for (const slide of row.children) observer.observe(slide)
    return () => observer.disconnect()
  }, [slides])

  if (titles.length === 0) return null
  return (
    <section
      ref={hero}
      className={styles.hero}
      aria-roledescription={t`carousel`}
      aria-label={t`Featured`}
      onPointerEnter={() => {
        setPaused(true)
        loadPictures(hero.current)
      }}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => {
        setPaused(true)
        loadPictures(hero.current)
      }}
      onBlur={() => setPaused(false)}
    >
      <ul {...list} className={styles.track} />
      {several && (
        <div className={styles.controls} data-theme="dark">
          <ScriptOnly>
            <IconButton
              icon={autoplay ? 'pause' : 'play'}
              label={autoplay ? t`Pause slideshow` : t`Play slideshow`}
              variant="glass"
              size="s"
              round
              onClick={() => setAutoplay(!autoplay)}
            />
            <div className={styles.dots}>
              {titles.map((title, at) => (
                <button
                  // biome-ignore lint/suspicious/noArrayIndexKey: slides neither change nor move
                  key={at}
                  type="button"
                  className={styles.dot}
                  aria-label={title}
                  aria-current={at === current || undefined}
                  onClick={() => show(at)}
                />
              ))}
            </div>
            <div className={styles.arrows}>
              <IconButton
                icon="chevron-start"
                label={t`Previous`}
                variant="glass"
                size="s"
                round
                onClick={() => show(current - 1)}
              />
              <IconButton
                icon="chevron-end"
                label={t`Next`}
                variant="glass"
                size="s"
                round
                onClick={() => show(current + 1)}
              />
            </div>
          </ScriptOnly>
        </div>
      )}
    </section>
  )
}
