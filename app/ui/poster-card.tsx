import type { CSSProperties, ReactNode } from 'react'
import { classNames, type RenderElement, renderAs } from './element'
import { Icon } from './icon'
import { Picture, type PictureSource } from './picture'
import styles from './poster-card.module.css'

export interface PosterCardProps {
  /** The link of the whole card: `<Link to="/products/$code" params={{ code }} />`. Its text is the title. */
  render: RenderElement
  picture: PictureSource
  title: string
  /** Where the title or the quiet line is not in the language of the page. */
  titleLang?: string | undefined
  metaLang?: string | undefined
  /** 16:9 or 2:3. */
  shape?: 'wide' | 'tall' | undefined
  /** How wide the picture is shown; the default fits rails and grids. */
  sizes?: string | undefined
  eager?: boolean | undefined
  /** One quiet line below the title: lecturer, year, lessons. */
  meta?: ReactNode
  price?: ReactNode
  /** On the picture: Badge elements of tone `glass` or `accent`. */
  badges?: ReactNode
  /** In the picture's lower corner: a duration. */
  corner?: ReactNode
  /** Watched part, 0 to 1, and how it is spoken. */
  watched?: { part: number; label: string } | undefined
  /** A play mark on hover, where the card leads straight to watching. */
  playable?: boolean | undefined
  /** A button of its own on the card, such as "like" or "remove". */
  action?: ReactNode
  transitionName?: string | undefined
  headingLevel?: 'h2' | 'h3' | 'h4' | undefined
  className?: string | undefined
}

const sizesOf = {
  wide: '(min-width: 90rem) 20rem, (min-width: 60rem) 25vw, (min-width: 40rem) 34vw, 62vw',
  tall: '(min-width: 90rem) 14rem, (min-width: 60rem) 17vw, (min-width: 40rem) 25vw, 42vw',
}

/** A product as a picture with its title; all of it is one link. */
export function PosterCard(props: PosterCardProps) {
  const {
    render,
    picture,
    title,
    titleLang,
    metaLang,
    shape = 'wide',
    eager,
    meta,
    price,
    badges,
    corner,
    watched,
    action,
  } = props
  const Heading = props.headingLevel ?? 'h3'
  return (
    <article className={classNames(styles.card, watched && styles.hasBar, props.className)}>
      <div className={styles.stage}>
        <Picture
          picture={picture}
          sizes={props.sizes ?? sizesOf[shape]}
          ratio={shape === 'wide' ? 16 / 9 : 2 / 3}
          eager={eager}
          decorative
          transitionName={props.transitionName}
        />
        {badges && <div className={styles.badges}>{badges}</div>}
        {corner && <span className={styles.corner}>{corner}</span>}
        {watched && <WatchedBar {...watched} />}
        {props.playable && (
          <span className={styles.veil} aria-hidden>
            <Icon name="play" />
          </span>
        )}
      </div>
      <div className={styles.text}>
        <Heading className={styles.title}>
          {renderAs(render, { className: styles.link, dir: 'auto', lang: titleLang }, title)}
        </Heading>
        {meta && (
          <div className={styles.meta} dir="auto" lang={metaLang}>
            {meta}
          </div>
        )}
        {price && <div className={styles.price}>{price}</div>}
      </div>
      {action && <div className={styles.action}>{action}</div>}
    </article>
  )
}

function WatchedBar({ part, label }: { part: number; label: string }) {
  const style: CSSProperties & Record<'--watched', number> = { '--watched': Math.min(1, Math.max(0.03, part)) }
  return <span className={styles.watched} style={style} role="img" aria-label={label} />
}
