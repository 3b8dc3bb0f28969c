import { classNames } from './element'
import styles from './password-meter.module.css'

export interface PasswordMeterProps {
  /** Null for an empty password. */
  strength: 'weak' | 'medium' | 'strong' | null
  /** `empty` is shown for an empty password. */
  labels: { weak: string; medium: string; strong: string; empty: string }
}

/** Shows the strength of a new password in three steps. */
export function PasswordMeter({ strength, labels }: PasswordMeterProps) {
  return (
    <div className={classNames(styles.meter, strength && styles[strength])}>
      <span className={styles.bars} aria-hidden>
        <span className={styles.bar} />
        <span className={styles.bar} />
        <span className={styles.bar} />
      </span>
      <output className={styles.word}>{labels[strength ?? 'empty']}</output>
    </div>
  )
}
