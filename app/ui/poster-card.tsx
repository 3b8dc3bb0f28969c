import type { CSSProperties, ReactNode } from 'react'
import { classNames, type RenderElement, renderAs } from './element'
import { Icon } from './icon'
import { Picture, type PictureSource } from './picture'
import styles from './poster-card.module.css'

export interface PosterCardProps {
  /** The card's link: `<Link to="/products/$code" params={{ code }} />`. Its text is the title. */
  render: RenderElement
  picture: PictureSource
  title: string
  /** The languages of title and meta line, where they are not the page's. */
  titleLang?: string | undefined
  metaLang?: string | undefined
  /** 16:9 or 2:3. */
  shape?: 'wide' | 'tall' | undefined
  /** The picture's `sizes`. The default fits rails and grids. */
  sizes?: string | undefined
  eager?: boolean | undefined
  /** The meta line below the title: lecturer, year, lessons. */
  meta?: ReactNode
  price?: ReactNode
  /** Badges on the picture, of tone `glass` or `accent`. */
  badges?: ReactNode
  /** In the lower corner of the picture: a duration. */
  corner?: ReactNode
  /** Watched share, 0 to 1, with its accessible text. */
  watched?: { fraction: number; label: string } | undefined
  /** Shows a play icon on hover, where the card leads to the player. */
  playable?: boolean | undefined
  /** A separate button on the card, such as "like" or "remove". */
  action?: ReactNode
  headingLevel?: 'h2' | 'h3' | 'h4' | undefined
  className?: string | undefined
}

const sizesOf = {
  wide: '(min-width: 90rem) 20rem, (min-width: 60rem) 25vw, (min-width: 40rem) 34vw, 62vw',
  tall: '(min-width: 90rem) 14rem, (min-width: 60rem) 17vw, (min-width: 40rem) 25vw, 42vw',
}

/** A product card. All but the action is one link. */
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
    <article
      className={classNames(styles.card, shape === 'tall' && styles.tall, watched && styles.hasBar, props.className)}
    >
      <div className={styles.stage}>
        <Picture picture={picture} sizes={props.sizes ?? sizesOf[shape]} ratio={null} small eager={eager} decorative />
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
        {price && (
          <div className={styles.price} data-price>
            {price}
          </div>
        )}
      </div>
      {action && <div className={styles.action}>{action}</div>}
    </article>
  )
}

function WatchedBar({ fraction, label }: { fraction: number; label: string }) {
  const shown = Math.round(Math.min(1, Math.max(0.03, fraction)) * 1000) / 1000
  const style: CSSProperties & Record<'--watched', number> = { '--watched': shown }
  return <span className={styles.watched} style={style} role="img" aria-label={label} />
}
