import { useQuery } from '@tanstack/react-query'
import { frameQuery } from '~/features/content/frame.queries'
import { langOf } from '~/platform/i18n/locales'
import { storeText } from '~/platform/i18n/store-text'
import { Icon } from '~/ui/icon'
import { BannerAnchor } from '../banner-anchor'
import styles from './banner-strip.module.css'

/** The tenant's HEADER_BANNER: one line above everything. */
export function BannerStrip() {
  const strip = useQuery(frameQuery).data?.strip
  if (!strip) return null
  return (
    <aside className={styles.strip}>
      <BannerAnchor link={strip.link} className={styles.line}>
        <strong dir="auto" lang={langOf(strip, 'title')}>
          {strip.title}
        </strong>
        {strip.text && (
          <span dir="auto" lang={langOf(strip, 'text')} className={styles.text}>
            {strip.text}
          </span>
        )}
        {strip.link && strip.label && (
          <span className={styles.more}>
            {storeText(strip, 'label')}
            <Icon name="arrow-end" size="s" />
          </span>
        )}
      </BannerAnchor>
    </aside>
  )
}
