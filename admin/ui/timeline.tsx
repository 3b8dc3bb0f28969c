import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useFormat } from '../platform/format'
import styles from './timeline.module.css'

export interface TimelineEntry {
  key: string
  at: string
  title: ReactNode
  detail?: ReactNode
  /** An amount at the end. */
  end?: ReactNode
}

/** What has happened to an object, latest first. */
export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  const { t } = useLingui()
  const { dateTime } = useFormat()
  if (entries.length === 0) return <p className={styles.none}>{t`Nothing yet.`}</p>
  return (
    <ol className={styles.timeline}>
      {entries.map(({ key, at, title, detail, end }) => (
        <li key={key} className={styles.entry}>
          <div className={styles.text}>
            <div className={styles.title}>{title}</div>
            {detail && <div className={styles.detail}>{detail}</div>}
            <time className={styles.time} dateTime={at}>
              {dateTime(at)}
            </time>
          </div>
          {end && <div className={styles.end}>{end}</div>}
        </li>
      ))}
    </ol>
  )
}
