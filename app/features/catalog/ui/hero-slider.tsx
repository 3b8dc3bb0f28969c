import { Trans, useLingui } from '@lingui/react/macro'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import type { Banner } from '#contract/content.ts'
import { SharedElement } from '~/platform/document/html-parts'
import { langOf } from '~/platform/i18n/locales'
import { storeText } from '~/platform/i18n/store-text'
import { useCategories } from '~/platform/shell/shell.functions'
import { Button, IconButton } from '~/ui/button'
import { AvifSource, widthsOf } from '~/ui/picture'
import { ScriptOnly } from '~/ui/visibility'
import { useBannerLink } from '../use-banner-link'
import styles from './hero-slider.module.css'

interface HeroSlideProps {
  banner: Banner
  /** The slide that is shown first. */
  first: boolean
  /** Out of view: not to be reached by keyboard. */
  hidden: boolean
}

const narrowScreens = '(max-width: 40rem)'

function HeroSlide({ banner, first, hidden }: HeroSlideProps) {
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

const autoplayMilliseconds = 7_000

/** Lets the slides out of view load their pictures. `watchScrolling` does so when it scrolls. */
const loadPictures = (track: HTMLElement | null) => track?.setAttribute('data-scrolled', '')

/**
 * The home page's slider. It advances until the visitor takes control. Without JavaScript it
 * scrolls.
 */
export function HeroSlider({ banners }: { banners: readonly Banner[] }) {
  const { t } = useLingui()
  const track = useRef<HTMLUListElement>(null)
  const [current, setCurrent] = useState(0)
  const [autoplay, setAutoplay] = useState(true)
  const [paused, setPaused] = useState(false)
  const several = banners.length > 1
  const categories = useCategories()

  const show = (next: number) => {
    const row = track.current
    const slide = row?.children[(next + banners.length) % banners.length]
    if (!row || !(slide instanceof HTMLElement)) return
    row.scrollTo({ left: slide.offsetLeft - row.offsetLeft })
  }

  useEffect(() => {
    if (!several || !autoplay || paused || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const loading = setTimeout(() => loadPictures(track.current), autoplayMilliseconds / 2)
    const timer = setTimeout(() => document.visibilityState === 'visible' && show(current + 1), autoplayMilliseconds)
    return () => {
      clearTimeout(loading)
      clearTimeout(timer)
    }
  })

  useEffect(() => {
    const row = track.current
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
  }, [])

  if (banners.length === 0) return null
  return (
    <section
      className={styles.hero}
      aria-roledescription={t`carousel`}
      aria-label={t`Featured`}
      onPointerEnter={() => {
        setPaused(true)
        loadPictures(track.current)
      }}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => {
        setPaused(true)
        loadPictures(track.current)
      }}
      onBlur={() => setPaused(false)}
    >
      <SharedElement as="ul" shown={['slides', current, banners, categories]} className={styles.track} ref={track}>
        {banners.map((banner, at) => (
          <HeroSlide key={banner.id} banner={banner} first={at === 0} hidden={at !== current} />
        ))}
      </SharedElement>
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
              {banners.map((banner, at) => (
                <button
                  key={banner.id}
                  type="button"
                  className={styles.dot}
                  aria-label={banner.title}
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
