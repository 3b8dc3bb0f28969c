import type { Thumbnail } from '../storyboard'
import styles from './still.module.css'

/** As wide as the box it is shown in. */
const shownWidth = 160

/** One picture out of a sheet of many. */
export function Still({ thumbnail: { url, x, y, width, height } }: { thumbnail: Thumbnail }) {
  const scale = shownWidth / width
  return (
    <span className={styles.still} style={{ blockSize: `${height * scale}px` }} data-still>
      <img
        src={url}
        alt=""
        draggable={false}
        className={styles.sheet}
        style={{ transform: `scale(${scale}) translate(${-x}px, ${-y}px)` }}
      />
    </span>
  )
}
