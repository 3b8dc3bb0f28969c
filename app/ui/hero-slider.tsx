import { type CSSProperties, type ReactNode, useRef, useState } from 'react'
import { classNames } from './class-names'
import styles from './hero-slider.module.css'
import { IconButton } from './icon-button'
import { type PictureSource, srcSetOf } from './picture'

export interface HeroSlide {
  id: string
  picture: PictureSource
  /** For narrow screens, where the wide one would lose its subject. */
  pictureTall?: PictureSource | undefined
  eyebrow?: ReactNode
  title: ReactNode
  text?: ReactNode
  /** A Button or two: `inverse` is the loud one here. */
  action?: ReactNode
}

export interface HeroSliderProps {
  slides: readonly HeroSlide[]
  labels: {
    /** The name of the whole: "Highlights". */
    region: string
    previous: string
    next: string
    pause: string
    play: string
    /** "Slide 1 of 3", for a slide and for its dot. */
    slide: (position: number, count: number) => string
  }
  headingLevel?: 'h1' | 'h2' | undefined
}

/** How far a finger travels before it means the next slide, in CSS pixels. */
const swipeDistance = 48

/**
 * The home page's great banners. They change by themselves every seven seconds, unless one hovers, holds the focus
 * inside, has pressed pause, or prefers less motion.
 */
export function HeroSlider({ slides, labels, headingLevel: Heading = 'h2' }: HeroSliderProps) {
  const [current, setCurrent] = useState(0)
  const [playing, setPlaying] = useState(true)
  const touch = useRef<{ x: number; y: number } | null>(null)
  const several = slides.length > 1

  const go = (position: number) => setCurrent((position + slides.length) % slides.length)

  const swipeEnd = (target: HTMLElement, x: number, y: number) => {
    if (!touch.current || !several) return
    const across = x - touch.current.x
    const along = y - touch.current.y
    touch.current = null
    if (Math.abs(across) < swipeDistance || Math.abs(along) > Math.abs(across)) return
    const forward = getComputedStyle(target).direction === 'rtl' ? across > 0 : across < 0
    go(current + (forward ? 1 : -1))
  }

  return (
    <section
      className={classNames(styles.hero, playing && several && styles.playing)}
      data-theme="dark"
      aria-roledescription="carousel"
      aria-label={labels.region}
      onTouchStart={(event) => {
        const finger = event.touches[0]
        touch.current = finger ? { x: finger.clientX, y: finger.clientY } : null
      }}
      onTouchEnd={(event) => {
        const finger = event.changedTouches[0]
        if (finger) swipeEnd(event.currentTarget, finger.clientX, finger.clientY)
      }}
    >
      {slides.map((slide, position) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls; the carousel pattern asks for a group.
        <div
          key={slide.id}
          role="group"
          aria-roledescription="slide"
          aria-label={labels.slide(position + 1, slides.length)}
          className={classNames(styles.slide, position === current && styles.shown)}
          inert={position !== current}
        >
          <Art slide={slide} first={position === 0} />
          <div className={styles.words}>
            {slide.eyebrow && <p className={styles.eyebrow}>{slide.eyebrow}</p>}
            <Heading className={styles.title}>{slide.title}</Heading>
            {slide.text && <p className={styles.text}>{slide.text}</p>}
            {slide.action && <div className={styles.action}>{slide.action}</div>}
          </div>
        </div>
      ))}
      {several && (
        <div className={styles.controls}>
          <div className={styles.dots}>
            {slides.map((slide, position) => (
              <button
                key={slide.id}
                type="button"
                className={styles.dot}
                aria-label={labels.slide(position + 1, slides.length)}
                aria-current={position === current || undefined}
                onClick={() => go(position)}
                // The dot's filling is the clock, so what pauses the one pauses the other.
                onAnimationEnd={() => position === current && go(current + 1)}
              >
                <span />
              </button>
            ))}
          </div>
          <IconButton
            icon={playing ? 'pause' : 'play'}
            label={playing ? labels.pause : labels.play}
            size="s"
            variant="glass"
            round
            className={styles.pause}
            onClick={() => setPlaying(!playing)}
          />
          <IconButton
            icon="chevron-start"
            label={labels.previous}
            size="s"
            variant="glass"
            round
            className={styles.turn}
            onClick={() => go(current - 1)}
          />
          <IconButton
            icon="chevron-end"
            label={labels.next}
            size="s"
            variant="glass"
            round
            className={styles.turn}
            onClick={() => go(current + 1)}
          />
        </div>
      )}
    </section>
  )
}

function Art({ slide, first }: { slide: HeroSlide; first: boolean }) {
  const { picture, pictureTall } = slide
  const style: CSSProperties & Record<'--art-color', string> = { '--art-color': picture.color }
  return (
    <picture className={styles.art} style={style}>
      {pictureTall && (
        <source
          media="(max-width: 47.99rem)"
          srcSet={srcSetOf(pictureTall) ?? pictureTall.url}
          sizes="100vw"
          width={pictureTall.width}
          height={pictureTall.height}
        />
      )}
      <img
        src={picture.url}
        srcSet={srcSetOf(picture)}
        sizes={picture.sources.length ? '(min-width: 90rem) 84rem, 100vw' : undefined}
        width={picture.width}
        height={picture.height}
        alt={picture.alt}
        loading={first ? 'eager' : 'lazy'}
        fetchPriority={first ? 'high' : 'low'}
        decoding={first ? 'sync' : 'async'}
        draggable={false}
      />
    </picture>
  )
}
